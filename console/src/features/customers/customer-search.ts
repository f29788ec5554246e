export const SORTS = [
  '-last_order_at',
  'last_order_at',
  '-first_order_at',
  'first_order_at',
  '-orders',
  'orders',
  '-spent',
  'spent',
  'name',
  '-name',
] as const;
export type Sort = (typeof SORTS)[number];

export type CustomersSearch = { search?: string; sort?: Sort; page?: number };

export const PER_PAGE = 50;
