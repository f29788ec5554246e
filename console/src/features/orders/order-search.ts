/** Statuses as connectors store them, which the list filters by. */
export const FILTER_STATUSES = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'CANCELLED'] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];

/** What the dashboard counts: orders that are neither delivered nor cancelled, and those past their promised time. */
export const STATES = ['open', 'late'] as const;
export type State = (typeof STATES)[number];

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
export type OrdersSearch = {
  state?: State;
  status?: FilterStatus;
  search?: string;
  source?: string;
  from?: string;
  to?: string;
  sort?: Sort;
  page?: number;
};

export const PER_PAGE = 50;
