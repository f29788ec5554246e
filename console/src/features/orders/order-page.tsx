import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { commonWords, orderWords, useFormat, useWords } from '../../i18n/index.ts';
import { useLive, useMay, useRead, useReadAgain } from '../../platform/index.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { showPhone } from '../../ui/contact-links.ts';
import { EmailText } from '../../ui/email-text.tsx';
import { Badge, Card, Facts, Loaded, orderTone, Page, paymentTone } from '../../ui/index.ts';
import { useMethodName } from '../../ui/method-names.ts';
import { useOrderStatus } from '../../ui/order-status.ts';
import './orders.css';
import { addressIn } from './address.ts';
import { isEditable } from './editor/is-editable.ts';
import { OrderNotes } from './notes/order-notes.tsx';
import { OrderInvoice } from './order-invoice.tsx';
import { BranchLink, ChannelLink, CustomerLink, ProductLink } from './order-links.tsx';
import { OrderMoves } from './order-moves.tsx';
import { OrderTechnical } from './order-technical.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import { OrderPrint } from './print/order-print.tsx';
import { subtotalOf } from './subtotal.ts';
import { OrderTags } from './tags/order-tags.tsx';
import { useLineNames } from './use-line-names.ts';
import { ordersWords } from './words.ts';

/** Characters of an amount that leave no space for the name on a telephone: `SAR 1,234,567.00` has 16. */
const LONG_AMOUNT = 15;

const route = getRouteApi('/in/orders/$id');
type Order = Schemas['CanonicalOrder'];

export function OrderPage(): ReactNode {
  const t = useWords(ordersWords);
  const { id } = route.useParams();
  const readAgain = useReadAgain();
  const order = useRead('getOrder', { path: { id }, query: { format: 'canonical' } });
  useLive((event) => {
    if (event.order_id === id) void readAgain('getOrder', 'readOrderTimeline');
  });
  return (
    <Loaded of={order} rows={8} back={<BackLink to="/orders">{t('back')}</BackLink>}>
      {(answer) => <OneOrder order={answer.order} back={t('back')} />}
    </Loaded>
  );
}

function OneOrder({ order, back }: { order: Order; back: string }): ReactNode {
  const t = useWords(ordersWords);
  const status = useWords(orderWords);
  const may = useMay();
  const { dateTime, hijri, money } = useFormat();
  const method = useMethodName();
  const statusOf = useOrderStatus();
  const { external, amounts, payment, fulfillment, customer, receiver, branch } = order;
  const isOpen = order.status !== 'delivered' && order.status !== 'cancelled';
  const isLate = isOpen && fulfillment.promised_for !== null && Date.parse(fulfillment.promised_for) < Date.now();
  return (
    <Page
      title={
        <span className="order-title">
          <span className="ltr">{external.code}</span>
          <Badge tone={orderTone(order.status)}>{statusOf(order.status, order.channel.app_slug)}</Badge>
          {isLate && <Badge tone="bad">{t('late')}</Badge>}
        </span>
      }
      name={external.code}
      note={<BackLink to="/orders">{back}</BackLink>}
      tools={
        <>
          {may('update:Orders') && <OrderMoves order={order} />}
          {may('update:Orders') && isEditable(order) && <EditLink id={order.id} />}
          <OrderPrint order={order} />
        </>
      }
    >
      <div className="order-columns">
        <div className="order-column">
          <Lines order={order} />
          <OrderNotes orderId={order.id} />
          <OrderTimeline id={order.id} />
          <OrderTechnical id={order.id} />
        </div>
        <div className="order-column">
          <Card title={t('about')}>
            <Facts
              facts={[
                [t('total'), <strong key="total">{money(amounts.total, amounts.currency)}</strong>],
                [
                  t('payment'),
                  <Badge key="payment" tone={paymentTone(payment.status)}>
                    {status(`payment.${payment.status}`)}
                  </Badge>,
                ],
                payment.method === null
                  ? undefined
                  : [t('method'), method(payment.method) ?? <bdi key="method">{payment.method}</bdi>],
                [t('channel'), <ChannelLink key="channel" channel={order.channel} />],
                external.order_id === null
                  ? undefined
                  : [
                      t('reference'),
                      <span key="reference" className="ltr">
                        {external.order_id}
                      </span>,
                    ],
                [t('branch'), <BranchLink key="branch" branch={branch} />],
                fulfillment.method === null
                  ? undefined
                  : [t('fulfillment'), method(fulfillment.method) ?? <bdi key="fulfillment">{fulfillment.method}</bdi>],
                fulfillment.promised_for === null ? undefined : [t('promised'), dateTime(fulfillment.promised_for)],
                [t('placed'), dateTime(external.placed_at)],
                [t('hijri'), hijri(external.placed_at)],
                order.comment === null ? undefined : [t('comment'), <bdi key="comment">{order.comment}</bdi>],
              ]}
            />
          </Card>
          <Card title={t('customer')}>
            <Facts
              facts={[
                [t('name'), <CustomerLink key="name" customer={customer} noName={t('noName')} />],
                customer.phone === null
                  ? undefined
                  : [
                      t('phone'),
                      <span key="phone" className="ltr">
                        {showPhone(customer.phone)}
                      </span>,
                    ],
                customer.email === null ? undefined : [t('email'), <EmailText key="email" email={customer.email} />],
                receiver.name === null ? undefined : [t('receiver'), <bdi key="receiver">{receiver.name}</bdi>],
                order.shipping_address === null
                  ? undefined
                  : [t('address'), <bdi key="address">{addressIn(order.shipping_address)}</bdi>],
              ]}
            />
          </Card>
          <OrderTags orderId={order.id} />
          <OrderInvoice order={order} />
        </div>
      </div>
    </Page>
  );
}

function EditLink({ id }: { id: string }): ReactNode {
  const t = useWords(commonWords);
  return (
    <Link to="/orders/$id/edit" params={{ id }} className="ui-button" data-look="plain">
      {t('edit')}
    </Link>
  );
}

function Lines({ order }: { order: Order }): ReactNode {
  const { lines, amounts } = order;
  const t = useWords(ordersWords);
  const { money, number } = useFormat();
  const names = useLineNames(order);
  const subtotal = subtotalOf(order);
  const withoutVat = subtotal - amounts.discounts + amounts.delivery_fee + amounts.service_fee;
  const isVatIncluded = Math.abs(withoutVat - amounts.total) < 0.005;
  const isLong = lines.some(({ total }) => money(total ?? 0, amounts.currency).length > LONG_AMOUNT);
  const sums = [
    [t('subtotal'), subtotal],
    [t('discounts'), -amounts.discounts],
    [t('deliveryFee'), amounts.delivery_fee],
    [t('serviceFee'), amounts.service_fee],
    [isVatIncluded ? t('vatIncluded') : t('vat'), amounts.vat],
  ] as const;
  return (
    <Card title={t('lines')} flush>
      <table className="order-lines" data-long={isLong || undefined}>
        <thead>
          <tr>
            <th scope="col">{t('item')}</th>
            <th scope="col" className="end">
              {t('quantity')}
            </th>
            <th scope="col" className="end">
              {t('amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a product may stand in an order twice, and lines do not move
            <tr key={index}>
              <td>
                <ProductLink productId={line.product_id} name={names[index] ?? '—'} />
                <div className="soft small">
                  <span className="ltr">{line.sku_id}</span>
                </div>
              </td>
              <td className="end">{line.quantity === null ? '—' : number(line.quantity)}</td>
              <td className="end">{line.total === null ? '—' : money(line.total, amounts.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className="order-sums">
        {sums
          .filter(([, amount]) => amount !== 0)
          .map(([name, amount]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt className="soft">{name}</dt>
              <dd>{money(amount, amounts.currency)}</dd>
            </div>
          ))}
        <dt className="strong">{t('total')}</dt>
        <dd className="strong">{money(amounts.total, amounts.currency)}</dd>
      </dl>
    </Card>
  );
}
