import type { Schemas } from '@dukkan/sdk';

type Customer = Schemas['Customer'];
type Order = Schemas['CanonicalOrder'];

/** The service cannot list orders by customer, so they are searched by the digits that all formats of the number share. */
const NATIONAL_DIGITS = 9;
const digitsOf = (phone: string) => phone.replace(/\D+/g, '');

export function queryFor({ phone, email }: Customer) {
  const base = { format: 'canonical', limit: 100 } as const;
  if (phone !== null) return { ...base, search: digitsOf(phone).slice(-NATIONAL_DIGITS) };
  return { ...base, customer_email: email ?? '' };
}

/** The search may find other orders too: digits occur in order numbers, and two people may share an address. */
export function isOf(customer: Customer, order: Order): boolean {
  const { phone, email } = order.customer;
  if (customer.phone !== null) {
    return (
      phone !== null && digitsOf(phone).slice(-NATIONAL_DIGITS) === digitsOf(customer.phone).slice(-NATIONAL_DIGITS)
    );
  }
  return email?.toLowerCase() === customer.email?.toLowerCase();
}

export type Tally = { id: string; title: string; count: number };

/** Purchased products by quantity. */
export function favourites(orders: readonly Order[], most: number): Tally[] {
  const pieces = orders
    .filter(({ status }) => status !== 'cancelled')
    .flatMap(({ lines }) => lines)
    .map(({ name, sku_id, product_id, quantity }) => ({
      id: product_id ?? sku_id ?? name ?? '',
      title: name ?? sku_id ?? product_id ?? '',
      count: quantity ?? 1,
    }));
  return tally(pieces).slice(0, most);
}

export function channelsOf(orders: readonly Order[]): Tally[] {
  return tally(orders.map(({ channel }) => ({ id: channel.app_slug, title: channel.app_slug, count: 1 })));
}

function tally(items: readonly Tally[]): Tally[] {
  const counted = new Map<string, Tally>();
  for (const { id, title, count } of items) {
    if (id === '') continue;
    counted.set(id, { id, title, count: count + (counted.get(id)?.count ?? 0) });
  }
  return [...counted.values()].sort((a, b) => b.count - a.count);
}
