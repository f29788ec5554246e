import type { Sql } from '../../../platform/database/index.ts';

type Row = {
  app_slug: string;
  destination_id: string | null;
  order_status: string;
  payment_status: string;
  currency: string;
  total: string;
  customer_phone: string | null;
  products: { product_id: string; sku_id: string; quantity: string; price: string }[];
  day: string;
};

const DAY_MS = 86_400_000;
const dayOn = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const hundredths = (text: string | number) => Math.round(Number(text) * 100);
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
const isCancelled = (row: Row) => /^(cancelled|canceled|rejected)$/i.test(row.order_status.trim());
const isRefunded = (row: Row) => row.payment_status === 'refunded';
const isSold = (row: Row) => !isCancelled(row) && !isRefunded(row);

/** Expected sales sections, computed from the orders in whole hundredths without the code under test. */
export async function recountDashboard(
  sql: Sql,
  shop: { id: string; timeZone: string; currency: string },
  range: { days: number; today: string; branchId: string | null },
) {
  const rows = await sql<Row[]>`
    select app_slug, destination_id, order_status, payment_status, currency, total_amount::text as total, customer_phone,
           products, (created_at at time zone ${shop.timeZone})::date::text as day
    from orders where organization_id = ${shop.id}`;
  const seen = rows.filter((row) => range.branchId === null || row.destination_id === range.branchId);
  const from = dayOn(range.today, 1 - range.days);
  const now = seen.filter((row) => row.day >= from && row.day <= range.today);
  const before = seen.filter((row) => row.day >= dayOn(from, -range.days) && row.day < from);
  const counts = (row: Row) => isSold(row) && row.currency === shop.currency;
  const revenueOf = (some: Row[]) => sum(some.filter(counts).map((row) => hundredths(row.total)));
  const unitsOf = (some: Row[]) =>
    sum(some.filter(isSold).flatMap((row) => row.products.map((line) => hundredths(line.quantity))));

  const figures = (some: Row[]) => ({
    orders: some.length,
    revenue: revenueOf(some) / 100,
    average_order_value: Math.round(revenueOf(some) / (some.filter(counts).length || 1)) / 100,
    units: unitsOf(some) / 100,
    customers: new Set(some.flatMap((row) => row.customer_phone?.slice(-9) ?? [])).size,
    cancelled: some.filter(isCancelled).length,
    refunded: some.filter(isRefunded).length,
  });
  const foreign = [...new Set(now.map((row) => row.currency))].filter((currency) => currency !== shop.currency).sort();
  const products = new Map<string, { units: number; revenue: number }>();
  const skus = new Map<string, number>();
  for (const row of now.filter(isSold)) {
    for (const { product_id, sku_id, quantity, price } of row.products) {
      const known = products.get(product_id) ?? { units: 0, revenue: 0 };
      const earned = row.currency === shop.currency ? (hundredths(quantity) * hundredths(price)) / 100 : 0;
      products.set(product_id, { units: known.units + hundredths(quantity), revenue: known.revenue + earned });
      skus.set(sku_id, (skus.get(sku_id) ?? 0) + hundredths(quantity));
    }
  }
  return {
    current: figures(now),
    previous: figures(before),
    other_currencies: foreign.map((currency) => {
      const theirs = now.filter((row) => row.currency === currency);
      const revenue = sum(theirs.filter(isSold).map((row) => hundredths(row.total))) / 100;
      return { currency, orders: theirs.length, revenue };
    }),
    trends: Array.from({ length: range.days }, (_, index) => {
      const date = dayOn(from, index);
      const some = now.filter((row) => row.day === date);
      return { date, orders: some.length, revenue: revenueOf(some) / 100, units: unitsOf(some) / 100 };
    }),
    apps: [...new Set(now.map((row) => row.app_slug))].sort().map((app_slug) => {
      const some = now.filter((row) => row.app_slug === app_slug);
      return {
        app_slug,
        orders: some.length,
        revenue: revenueOf(some) / 100,
        cancelled: some.filter(isCancelled).length,
      };
    }),
    products: [...products]
      .map(([product_id, { units, revenue }]) => ({ product_id, units: units / 100, revenue: revenue / 100 }))
      .filter(({ units, revenue }) => units > 0 || revenue > 0)
      .sort((one, other) => (one.product_id < other.product_id ? -1 : 1)),
    skus: [...skus]
      .map(([sku_id, units]) => ({ sku_id, units: units / 100 }))
      .filter(({ units }) => units > 0)
      .sort((one, other) => (one.sku_id < other.sku_id ? -1 : 1)),
  };
}
