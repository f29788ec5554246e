import fc from 'fast-check';

/** Small pools, so that orders share days, customers and products. */
const phones = ['0501234567', '+966501234567', '966 50 123 4567', '00966551112222', '0551112222', '', null];
const emails = ['noura@example.com', 'NOURA@example.com ', 'sara@example.com', null];
const names = ['نورة العتيبي', 'Noura', 'Sara', '  ', null];
const statuses = [
  'RECEIVED',
  'preparing',
  'READY_FOR_PICKUP',
  'dispatched',
  'Delivered',
  'rejected',
  'on hold',
  'pending',
];

const line = fc.record({
  product_id: fc.constantFrom('P-1', 'P-2', 'P-3'),
  sku_id: fc.constantFrom('S-1', 'S-2'),
  quantity: fc.constantFrom(1, 2, 0.1, 0.2, 1.25, 0),
  // Multiplied by any of the quantities it is a whole number of halalas.
  price: fc.integer({ min: 0, max: 500 }).map((steps) => (steps * 20) / 100),
});

const orderBody = fc.record({
  branch: fc.constantFrom(0, 1, null),
  channel: fc.constantFrom(0, 1, null),
  order_status: fc.constantFrom(...statuses),
  payment_status: fc.constantFrom('pending', 'completed', 'refunded', 'failed'),
  fulfillment_status: fc.constant('None'),
  customer_name: fc.constantFrom(...names),
  customer_phone: fc.constantFrom(...phones),
  customer_email: fc.constantFrom(...emails),
  currency: fc.constantFrom('SAR', 'SAR', 'SAR', 'USD'),
  total_amount: fc.integer({ min: 0, max: 1_000_00 }).map((halalas) => halalas / 100),
  products: fc.array(line, { minLength: 1, maxLength: 4 }),
});
export type RandomOrder = typeof orderBody extends fc.Arbitrary<infer Body> ? Body : never;

const which = fc.nat(1000);
const status = fc.record(
  {
    order_status: fc.constantFrom(...statuses, 'CANCELLED'),
    payment_status: fc.constantFrom('completed', 'refunded'),
  },
  { requiredKeys: [] },
);

/** Changes of a tenant's orders. `which` selects an existing order. Some moves are refused, which is expected. */
export const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('create' as const), orders: fc.array(orderBody, { maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), which, order: orderBody }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      moves: fc.array(fc.record({ which, status }), { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.array(which, { maxLength: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 15 }) }) },
);
export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
