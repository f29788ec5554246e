import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useChannelName, useFormat, useWords } from '../../../i18n/index.ts';
import { useBranchName } from '../../../ui/branch-names.ts';
import { showPhone } from '../../../ui/contact-links.ts';
import { Facts } from '../../../ui/index.ts';
import { useMethodName } from '../../../ui/method-names.ts';
import { addressIn } from '../address.ts';
import { ordersWords } from '../words.ts';

type Order = Schemas['CanonicalOrder'];
export const SLIPS = ['packing', 'kitchen'] as const;
export type SlipKind = (typeof SLIPS)[number];

/** A packing slip (what goes into the bag, and to whom) or a kitchen ticket (what to prepare). Neither shows prices. */
export function Slip(props: { kind: SlipKind; order: Order; names: readonly string[] }): ReactNode {
  const { kind, order, names } = props;
  const t = useWords(ordersWords);
  const { dateTime, number } = useFormat();
  const channel = useChannelName();
  const branch = useBranchName()(order.branch);
  const method = useMethodName();
  const { external, fulfillment, customer, receiver, comment } = order;
  const phone = receiver.phone ?? customer.phone;
  const isPacking = kind === 'packing';
  return (
    <article className="receipt" data-slip={kind} aria-label={t(`slip.${kind}`)}>
      <header className="receipt-head">
        <span>{t(`slip.${kind}`)}</span>
        <strong className="ltr">{external.code}</strong>
      </header>
      <Facts
        look="print"
        facts={[
          [t('channel'), channel(order.channel.app_slug)],
          branch === null ? undefined : [t('branch'), <bdi key="branch">{branch}</bdi>],
          [t('placed'), dateTime(external.placed_at)],
          fulfillment.promised_for === null ? undefined : [t('promised'), dateTime(fulfillment.promised_for)],
          fulfillment.method === null
            ? undefined
            : [t('fulfillment'), method(fulfillment.method) ?? fulfillment.method],
          [t('customer'), <bdi key="customer">{receiver.name ?? customer.name ?? t('noName')}</bdi>],
          isPacking && phone !== null ? [t('phone'), <bdi key="phone">{showPhone(phone)}</bdi>] : undefined,
          isPacking && order.shipping_address !== null
            ? [t('address'), <bdi key="address">{addressIn(order.shipping_address)}</bdi>]
            : undefined,
          comment === null ? undefined : [t('comment'), <bdi key="comment">{comment}</bdi>],
        ]}
      />
      <ul className="receipt-lines">
        {order.lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a product may appear twice, and lines do not move
          <li key={index}>
            <bdi>{names[index]}</bdi>
            <strong>{line.quantity === null ? '—' : `${number(line.quantity)} ×`}</strong>
            {isPacking && <span className="receipt-each ltr">{line.sku_id}</span>}
          </li>
        ))}
      </ul>
    </article>
  );
}
