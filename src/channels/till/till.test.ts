import { expect, test } from 'vitest';
import { callOf, RIYADH } from '../testing/calls.ts';
import { till } from './index.ts';

const SALE = { id: 'T-1', products: [{ product_id: 'P1', quantity: 1, price: 10 }], total_amount: 10 };

test('a sale is paid and delivered unless it says otherwise', () => {
  expect(till.read(callOf(SALE), RIYADH)).toMatchObject({
    kind: 'order',
    order: { id: 'T-1', status: 'DELIVERED', paymentStatus: 'paid', fulfillmentStatus: 'Full' },
  });
  expect(till.read(callOf({ ...SALE, order_status: 'ready', payment_status: 'pending' }), RIYADH)).toMatchObject({
    order: { status: 'READY_FOR_PICKUP', paymentStatus: 'pending' },
  });
  expect(till.read(callOf({ ...SALE, order_status: 'held' }), RIYADH)).toMatchObject({
    order: { status: undefined },
  });
});

test('a call is verified by the ingest token', () => {
  const context = { settings: {}, ingestToken: 'ours', ingestUrl: '', now: RIYADH.receivedAt };
  expect(till.app.inbound?.verify(callOf(SALE, { headers: { 'x-ingest-token': 'ours' } }), context)).toBe(true);
  expect(till.app.inbound?.verify(callOf(SALE, { headers: { 'x-ingest-token': '' } }), context)).toBe(false);
  expect(till.push).toBeUndefined();
});
