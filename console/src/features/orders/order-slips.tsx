import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useEffect, useState } from 'react';
import { useChannelName, useFormat, useWords } from '../../i18n/index.ts';
import { useBranchName } from '../../ui/branch-names.ts';
import { showPhone } from '../../ui/contact-links.ts';
import { Menu } from '../../ui/index.ts';
import { useMethodName } from '../../ui/method-names.ts';
import { PrintSheet } from '../../ui/receipt/index.ts';
import { addressIn } from './address.ts';
import { useLineNames } from './line-names.ts';
import { ordersWords } from './words.ts';

type Order = Schemas['CanonicalOrder'];
const SLIPS = ['packing', 'kitchen'] as const;
type Slip = (typeof SLIPS)[number];

/** Prints a packing slip (what goes into the bag, and to whom) or a kitchen ticket (what to prepare). Neither shows prices. */
export function OrderSlips({ order }: { order: Order }): ReactNode {
  const t = useWords(ordersWords);
  const [slip, setSlip] = useState<Slip>();
  useEffect(() => {
    if (slip === undefined) return;
    const done = () => setSlip(undefined);
    window.addEventListener('afterprint', done);
    window.print();
    return () => window.removeEventListener('afterprint', done);
  }, [slip]);
  return (
    <>
      <Menu
        label={t('print')}
        button={{ icon: 'print', 'aria-label': t('print') }}
        groups={[
          {
            id: 'slips',
            entries: SLIPS.map((id) => ({ id, text: t(`slip.${id}`), onAction: () => setSlip(id) })),
          },
        ]}
      />
      {slip !== undefined && (
        <PrintSheet isOnly>
          <OneSlip slip={slip} order={order} />
        </PrintSheet>
      )}
    </>
  );
}

function OneSlip({ slip, order }: { slip: Slip; order: Order }): ReactNode {
  const t = useWords(ordersWords);
  const { dateTime, number } = useFormat();
  const names = useLineNames(order);
  const channel = useChannelName();
  const branch = useBranchName()(order.branch);
  const method = useMethodName();
  const { external, fulfillment, customer, receiver, comment } = order;
  const phone = receiver.phone ?? customer.phone;
  const facts: (readonly [string, ReactNode] | undefined)[] = [
    [t('channel'), channel(order.channel.app_slug)],
    branch === null ? undefined : [t('branch'), <bdi key="branch">{branch}</bdi>],
    [t('placed'), dateTime(external.placed_at)],
    fulfillment.promised_for === null ? undefined : [t('promised'), dateTime(fulfillment.promised_for)],
    fulfillment.method === null ? undefined : [t('fulfillment'), method(fulfillment.method) ?? fulfillment.method],
    [t('customer'), <bdi key="customer">{receiver.name ?? customer.name ?? t('noName')}</bdi>],
    ...(slip === 'kitchen'
      ? []
      : [
          phone === null ? undefined : ([t('phone'), <bdi key="phone">{showPhone(phone)}</bdi>] as const),
          order.shipping_address === null
            ? undefined
            : ([t('address'), <bdi key="address">{addressIn(order.shipping_address)}</bdi>] as const),
        ]),
    comment === null ? undefined : [t('comment'), <bdi key="comment">{comment}</bdi>],
  ];
  return (
    <article className="receipt" data-slip={slip} aria-label={t(`slip.${slip}`)}>
      <header className="receipt-head">
        <span>{t(`slip.${slip}`)}</span>
        <strong className="ltr">{external.code}</strong>
      </header>
      <dl className="receipt-facts">
        {facts
          .filter((fact) => fact !== undefined)
          .map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <ul className="receipt-lines">
        {order.lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a product may appear twice, and lines do not move
          <li key={index}>
            <bdi>{names[index]}</bdi>
            <strong>{line.quantity === null ? '—' : `${number(line.quantity)} ×`}</strong>
            {slip === 'packing' && <span className="receipt-each ltr">{line.sku_id}</span>}
          </li>
        ))}
      </ul>
    </article>
  );
}
