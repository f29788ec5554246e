import { BULK_ORDERS } from './requests.ts';

export type AllInCase = {
  name: string;
  /** Of the requests, in requests.ts. */
  maker: string;
  connections: number;
  ordersEach: number;
  expect: number[];
};

export const CASES: AllInCase[] = [
  { name: 'single orders', maker: 'singleOrders', connections: 32, ordersEach: 1, expect: [201] },
  { name: `bulk of ${BULK_ORDERS}`, maker: 'bulkOrders', connections: 4, ordersEach: BULK_ORDERS, expect: [200] },
  { name: 'ingest of a vendor payload', maker: 'vendorPayloads', connections: 32, ordersEach: 1, expect: [202] },
];
