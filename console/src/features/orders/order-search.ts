/** Stored words as connectors write them, which is what the list filters by. */
export const FILTER_STATUSES = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'CANCELLED'] as const;
export type FilterStatus = (typeof FILTER_STATUSES)[number];

export const SORTS = [
  'created',
  '-created',
  'total_amount',
  '-total_amount',
  'customer_name',
  '-customer_name',
] as const;
export type Sort = (typeof SORTS)[number];

/** All that the list shows is in its address: it can be sent to a colleague, kept, and gone back to. */
export type OrdersSearch = {
  status?: FilterStatus;
  search?: string;
  source?: string;
  from?: string;
  to?: string;
  sort?: Sort;
  page?: number;
};

export const PER_PAGE = 50;
