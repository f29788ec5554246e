import type { SearchChange } from '../../platform/index.ts';
/** Statuses as connectors store them, which the list filters by. */
export const FILTER_STATUSES = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'CANCELLED'] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];

/** What the dashboard counts: orders that are neither delivered nor cancelled, and those past their promised time. */
export const STATES = ['open', 'late'] as const;
export type State = (typeof STATES)[number];

export const PAYMENTS = ['pending', 'paid', 'refunded', 'failed', 'cancelled'] as const;
export type Payment = (typeof PAYMENTS)[number];

export const SORTS = [
  'created',
  '-created',
  'total_amount',
  '-total_amount',
  'customer_name',
  '-customer_name',
] as const;
export type Sort = (typeof SORTS)[number];

/** The state of the list, held in the address: it can be sent to a colleague, saved and returned to. */
export type FilterProps = { search: OrdersSearch; onFilter(change: SearchChange<OrdersSearch>): void };

export type OrdersSearch = {
  state?: State;
  status?: FilterStatus;
  search?: string;
  source?: string;
  /** An app slug. */
  channel?: string;
  /** The id of a branch. */
  branch?: string;
  payment?: Payment;
  tag?: string;
  min?: number;
  max?: number;
  from?: string;
  to?: string;
  sort?: Sort;
  page?: number;
};

export const PER_PAGE = 50;

const MAX_AMOUNT = 1e12;

/** Digits with at most two decimals, in either script. Undefined for anything else. */
export function readAmount(text: string): number | undefined {
  const digits = text
    .trim()
    .replaceAll(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace('٫', '.');
  if (!/^\d+(\.\d{1,2})?$/.test(digits)) return undefined;
  const amount = Number(digits);
  return amount <= MAX_AMOUNT ? amount : undefined;
}

export function amountText(amount: number | undefined): string {
  return amount === undefined ? '' : String(amount);
}
