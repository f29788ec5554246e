import type { PastOrder } from '../modules/orders/index.ts';
import { insertTransaction, type PastPaylink, recordPastPaylink } from '../modules/payments/index.ts';
import type { Tx } from '../platform/database/index.ts';
import { newId } from '../platform/ids.ts';
import type { DemoInstall } from './channels.ts';

const MINUTE_MS = 60_000;
/**
 * Links that wait for their customer or for the shop: three days, as if they had been sent by message. A provider's own 15 minutes would leave a
 * demo without its simulator with expired links only.
 */
const OPEN_FOR_MINUTES = 3 * 24 * 60;
const PROVIDERS = { tabby: 'tabby-pos-paylinks', tamara: 'tamara-pos-paylinks' } as const;

/** Every state that a link can be in, most of them more than once. Minutes before now. */
const LINKS: readonly { status: PastPaylink['status']; provider: keyof typeof PROVIDERS; minutesAgo: number }[] = [
  { status: 'created', provider: 'tabby', minutesAgo: 3 },
  { status: 'created', provider: 'tamara', minutesAgo: 6 },
  { status: 'authorized', provider: 'tabby', minutesAgo: 11 },
  { status: 'authorized', provider: 'tamara', minutesAgo: 14 },
  { status: 'authorized', provider: 'tabby', minutesAgo: 26 },
  { status: 'captured', provider: 'tabby', minutesAgo: 55 },
  { status: 'created', provider: 'tabby', minutesAgo: 95 },
  { status: 'captured', provider: 'tamara', minutesAgo: 130 },
  { status: 'captured', provider: 'tabby', minutesAgo: 700 },
  { status: 'cancelled', provider: 'tabby', minutesAgo: 900 },
  { status: 'expired', provider: 'tamara', minutesAgo: 1500 },
  { status: 'failed', provider: 'tabby', minutesAgo: 1700 },
  { status: 'refunded', provider: 'tamara', minutesAgo: 4000 },
];

/** At night few orders await payment. Those that customers have agreed to pay come first: only they can be confirmed. */
const AGREED_FIRST = LINKS.toSorted(
  (one, other) => Number(other.status === 'authorized') - Number(one.status === 'authorized'),
);

/** Orders whose payment stands where a link of theirs would have brought it. */
export type Payable = { paid: SoldOnline[]; refunded: SoldOnline[]; open: SoldOnline[] };
type SoldOnline = { id: string; amount: number };

export const noPayable = (): Payable => ({ paid: [], refunded: [], open: [] });

/** Yields the same orders and collects those of the shop's own page, newest last. */
export function* collectPayable(past: Iterable<PastOrder>, since: Date, payable: Payable): Generator<PastOrder> {
  for (const one of past) {
    const isOwn = one.order.source === 'api' && one.stages[0].at >= since;
    if (!isOwn) yield one;
    else {
      const kept = { ...one, id: one.id ?? newId() };
      const last = one.stages.at(-1) ?? one.stages[0];
      const sold = { id: kept.id, amount: one.order.total_amount ?? 0 };
      if (last.payment_status === 'completed') payable.paid.push(sold);
      else if (last.payment_status === 'refunded') payable.refunded.push(sold);
      else if (last.payment_status === 'pending') payable.open.push(sold);
      yield kept;
    }
  }
}

export async function seedPaylinks(
  tx: Tx,
  shop: { organizationId: string; installs: ReadonlyMap<string, DemoInstall>; baseUrl: string },
  payable: Payable,
  now: Date,
): Promise<void> {
  await seedTransactions(tx, shop.organizationId, payable.open[0]?.amount, now);
  const sales = new Map(AGREED_FIRST.map((link) => [link, orderFor(link.status, payable)]));
  for (const [index, link] of LINKS.entries()) {
    const { status, provider, minutesAgo } = link;
    const install = shop.installs.get(PROVIDERS[provider]);
    if (install === undefined) throw new Error(`the demo has not installed ${PROVIDERS[provider]}`);
    const sold = sales.get(link);
    const createdAt = new Date(now.getTime() - minutesAgo * MINUTE_MS);
    await recordPastPaylink(tx, shop.organizationId, {
      provider,
      organizationAppId: install.id,
      orderId: sold?.id ?? null,
      status,
      amount: sold?.amount ?? 180 + 35 * index,
      currency: 'SAR',
      baseUrl: shop.baseUrl,
      createdAt,
      updatedAt: status === 'created' ? createdAt : new Date(createdAt.getTime() + 2 * MINUTE_MS),
      ...((status === 'created' || status === 'authorized') && { livesForMinutes: OPEN_FOR_MINUTES }),
    });
  }
}

const TRANSACTIONS_MINUTES_AGO = [35, 190, 610];

/** Payments that a gateway reported and that are not matched with an order; the first has the amount of an open order. */
async function seedTransactions(
  tx: Tx,
  organizationId: string,
  openAmount: number | undefined,
  now: Date,
): Promise<void> {
  for (const [index, minutesAgo] of TRANSACTIONS_MINUTES_AGO.entries()) {
    const at = new Date(now.getTime() - minutesAgo * MINUTE_MS);
    await insertTransaction(tx, {
      organization_id: organizationId,
      id: newId(),
      provider: 'moyasar',
      organization_app_id: newId(),
      provider_reference: `moyasar-${index + 1}`,
      parent_reference: null,
      merchant_reference: null,
      order_id: null,
      matched_by: null,
      amount: index === 0 && openAmount !== undefined ? openAmount : 75 + 40 * index,
      currency: 'SAR',
      status: 'paid',
      fee: null,
      refunded_amount: 0,
      occurred_at: at,
      is_verified: true,
      created: at,
      updated: at,
    });
  }
}

/** Links without an order: a payment requested by telephone. */
function orderFor(status: PastPaylink['status'], { paid, refunded, open }: Payable): SoldOnline | undefined {
  if (status === 'captured') return paid.pop();
  if (status === 'refunded') return refunded.pop();
  // The oldest is left for the first transaction.
  return (status === 'created' || status === 'authorized') && open.length > 1 ? open.pop() : undefined;
}
