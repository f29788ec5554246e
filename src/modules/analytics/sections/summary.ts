import { decimal, roundToCurrency, toNumber } from '../../../platform/money.ts';
import type { SalesRow } from '../../sales/index.ts';
import type { Summary } from '../schema.ts';
import type { SectionContext } from '../section-context.ts';

type Figures = Summary['previous'];
const NAMES = ['orders', 'revenue', 'average_order_value', 'units', 'customers', 'cancelled', 'refunded'] as const;

/** Never empty: zeros mean that nothing was sold. */
export async function readSummary(context: SectionContext): Promise<Summary> {
  const [rows, customers] = [await context.sales(), await context.customers()];
  const currency = await context.currency();
  const of = (isCurrent: boolean) => rows.find((row) => row.kind === 'period' && row.is_current === isCurrent);
  const current = figuresOf(of(true), customers.current);
  const previous = figuresOf(of(false), customers.previous);
  const others = rows.filter((row) => row.kind === 'currency' && row.currency !== currency);
  return {
    currency,
    ...current,
    previous,
    change: Object.fromEntries(
      NAMES.map((name) => [name, percentChange(previous[name], current[name])]),
    ) as Summary['change'],
    ...(others.length > 0 && { other_currencies: others.map(otherCurrency).sort(byName) }),
  };
}

function figuresOf(row: SalesRow | undefined, customers: number): Figures {
  return {
    orders: row?.orders ?? 0,
    revenue: row?.revenue ?? 0,
    average_order_value: row?.average ?? 0,
    units: row?.units ?? 0,
    customers,
    cancelled: row?.cancelled ?? 0,
    refunded: row?.refunded ?? 0,
  };
}

/** To the tenth; null when the previous value is 0. */
export function percentChange(before: number, now: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 1_000) / 10;
}

type OtherCurrency = NonNullable<Summary['other_currencies']>[number];

function otherCurrency({ currency, orders, own_revenue }: SalesRow): OtherCurrency {
  const code = currency ?? '';
  return { currency: code, orders, revenue: toNumber(roundToCurrency(decimal(own_revenue), code)) };
}

const byName = (one: OtherCurrency, other: OtherCurrency) => (one.currency < other.currency ? -1 : 1);
