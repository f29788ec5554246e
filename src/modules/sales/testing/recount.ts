import type { Sql } from '../../../platform/database/index.ts';

const NONE = '00000000-0000-0000-0000-000000000000';

type Row = {
  id: string;
  app_slug: string;
  destination_id: string | null;
  order_status: string;
  payment_status: string;
  currency: string;
  total: string;
  customer_name: string | null;
  customer_phone: string | null;
  customer_email: string | null;
  products: { product_id: string; sku_id: string; quantity: string; price: string }[];
  created_at: Date;
  day: string;
};

/** All projections of a tenant as sorted lines of text, for comparison. */
export type Picture = {
  daily: string[];
  products: string[];
  months: string[];
  customers: string[];
  totals: string[];
  whole: string[];
};

/**
 * The same lines computed from the orders without the code under test. Money and units are counted in thousandths; the prices and
 * quantities of the orders multiply to whole halalas.
 */
export async function recount(sql: Sql, organizationId: string, timeZone: string): Promise<Picture> {
  const orders = await sql<Row[]>`
    select id, app_slug, destination_id, order_status, payment_status, currency, total_amount::text as total,
           customer_name, customer_phone, customer_email, products, created_at,
           (created_at at time zone ${timeZone})::date::text as day
    from orders where organization_id = ${organizationId} order by created_at, id`;
  const daily = new Map<string, number[]>();
  const products = new Map<string, number[]>();
  const whole = new Map<string, number[]>();
  const months = new Map<string, number[]>();
  const customers = new Map<string, Row[]>();
  for (const order of orders) {
    const cancelled = /^(cancelled|canceled|rejected)$/i.test(order.order_status.trim());
    const refunded = order.payment_status === 'refunded';
    const sold = cancelled || refunded ? 0 : 1;
    const branch = order.destination_id ?? NONE;
    const units = order.products.reduce((sum, line) => sum + thousandths(line.quantity), 0);
    const flags = [cancelled ? 1 : 0, refunded ? 1 : 0];
    const key = [order.day, order.app_slug, branch, order.currency];
    add(daily, key, [1, sold, sold * thousandths(order.total), sold * units, ...flags]);
    add(whole, [order.currency], [1, sold, sold * thousandths(order.total), sold * units, ...flags]);
    const counted = new Set<string>();
    for (const line of order.products) {
      const of = [...key, line.product_id, line.sku_id];
      const one = counted.has(of.join()) ? 0 : 1;
      counted.add(of.join());
      const quantity = thousandths(line.quantity);
      const earned = (quantity * thousandths(line.price)) / 1000;
      const values = [one, one * sold, sold * earned, sold * quantity, ...flags.map((flag) => flag * one)];
      add(products, of, values);
      const month = `${order.day.slice(0, 7)}-01`;
      add(months, [month, branch, order.currency, line.product_id, line.sku_id], values);
    }
    const who = whoIs(order);
    if (who === undefined) continue;
    for (const family of new Set([NONE, branch])) {
      customers.set(`${family} ${who}`, [...(customers.get(`${family} ${who}`) ?? []), order]);
    }
  }
  const families = [...customers.keys()].map((key) => key.slice(0, NONE.length));
  return {
    daily: lines(daily),
    products: lines(products),
    whole: lines(whole),
    months: lines(months),
    customers: [...customers].map(([key, theirs]) => customerLine(key.slice(0, NONE.length), theirs)).sort(),
    totals: [...new Set(families)].map((id) => `${id} ${families.filter((one) => one === id).length}`).sort(),
  };
}

/** By the last nine digits of the telephone, which is equivalent while all numbers are of one country. */
function whoIs(order: Row): string | undefined {
  const digits = order.customer_phone?.replaceAll(/\D/g, '') ?? '';
  if (digits.length >= 9) return digits.slice(-9);
  return order.customer_email?.trim().toLowerCase() || undefined;
}

function customerLine(family: string, orders: Row[]): string {
  const latest = [...orders].reverse();
  const recent = latest.slice(0, 20);
  const currency = latest[0]?.currency;
  const spent = orders
    .filter((order) => order.currency === currency && order.payment_status !== 'refunded')
    .filter((order) => !/^(cancelled|canceled|rejected)$/i.test(order.order_status.trim()))
    .reduce((sum, order) => sum + thousandths(order.total), 0);
  const said = (field: 'customer_name' | 'customer_phone' | 'customer_email') =>
    recent.map((order) => order[field]?.trim()).find(Boolean) ?? '-';
  const first = orders[0]?.created_at.toISOString();
  const last = latest[0]?.created_at.toISOString();
  const names = [said('customer_name'), said('customer_phone'), said('customer_email')];
  return [family, ...names, orders.length, decimal(spent), currency, first, last].join(' ; ');
}

/** The stored projections. */
export async function readPicture(sql: Sql, organizationId: string): Promise<Picture> {
  const daily = await sql<{ line: string }[]>`
    select concat_ws(' ; ', local_day, app_slug, branch_id, currency, orders, sold, trim_scale(revenue),
                     trim_scale(units), cancelled, refunded) as line
    from daily_sales where organization_id = ${organizationId}`;
  const products = await sql<{ line: string }[]>`
    select concat_ws(' ; ', local_day, app_slug, branch_id, currency, product_id, sku_id, orders, sold,
                     trim_scale(revenue), trim_scale(units), cancelled, refunded) as line
    from daily_product_sales where organization_id = ${organizationId}`;
  const months = await sql<{ line: string }[]>`
    select concat_ws(' ; ', month, branch_id, currency, product_id, sku_id, orders, sold, trim_scale(revenue),
                     trim_scale(units), cancelled, refunded) as line
    from monthly_product_sales where organization_id = ${organizationId}`;
  const customers = await sql<{ line: string }[]>`
    select concat_ws(' ; ', branch_id, coalesce(name, '-'), coalesce(phone, '-'), coalesce(email, '-'), orders,
                     trim_scale(spent), currency, to_char(first_order_at, ${ISO}), to_char(last_order_at, ${ISO})) as line
    from customers where organization_id = ${organizationId}`;
  const totals = await sql<{ line: string }[]>`
    select split_part(list, ' ', 2) || ' ' || sum(total) as line from list_totals
    where organization_id = ${organizationId} and list like 'customers %' group by list having sum(total) <> 0`;
  const whole = await sql<{ line: string }[]>`
    select concat_ws(' ; ', currency, orders, sold, trim_scale(revenue), trim_scale(units), cancelled, refunded) as line
    from organization_sales where organization_id = ${organizationId}`;
  const sorted = (rows: { line: string }[]) => rows.map((row) => row.line).sort();
  return {
    daily: sorted(daily),
    products: sorted(products),
    months: sorted(months),
    customers: sorted(customers),
    totals: sorted(totals),
    whole: sorted(whole),
  };
}

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

function thousandths(decimalText: string | number): number {
  return Math.round(Number(decimalText) * 1000);
}

function decimal(inThousandths: number): string {
  return String(inThousandths / 1000);
}

function add(sums: Map<string, number[]>, key: string[], values: number[]): void {
  const text = key.join(' ; ');
  const known = sums.get(text);
  sums.set(text, known === undefined ? values : values.map((value, index) => value + (known[index] ?? 0)));
}

function lines(sums: Map<string, number[]>): string[] {
  return [...sums]
    .map(([key, [orders, sold, revenue = 0, units = 0, cancelled, refunded]]) =>
      [key, orders, sold, decimal(revenue), decimal(units), cancelled, refunded].join(' ; '),
    )
    .sort();
}
