import { describe, expect, it } from 'vitest';
import { testOrganization, testService } from '../../../../test/harness/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { applyVendorUpdates } from './apply-vendor-updates.ts';
import type { OrderUpdate } from './order-update.ts';

const { service, sql } = await testService({ DUKKAN_ROLES: 'api' });
const shop = await testOrganization(sql);
const install = newId();
const channel = {
  organization_app_id: install,
  app_slug: 'woocommerce',
  channel_family: 'store',
  channel_kind: 'store',
};

const apply = async (...updates: OrderUpdate[]) =>
  inTransaction(sql, (tx) => applyVendorUpdates(tx, service.ordering, { organizationId: shop.id, channel }, updates));

/** A full payload, modified at `revision`, with a comment to recognise it by. */
function fullUpdate(transactionId: string, revision: number, comment: string): OrderUpdate {
  const order = {
    source: install,
    source_transaction_id: transactionId,
    skus: ['P-1'],
    products: [{ product_id: 'P-1', sku_id: 'P-1' }],
    total_amount: 20,
    comment,
  };
  return {
    transactionId,
    revision,
    status: undefined,
    paymentStatus: undefined,
    fulfillmentStatus: undefined,
    order,
    branch: undefined,
    raw: '{}',
  };
}

/** A payload of the customer's name alone, without a modification time: its revision is the time of its arrival. */
function partialUpdate(transactionId: string, arrivedAt: number): OrderUpdate {
  const update = fullUpdate(transactionId, arrivedAt, '');
  return { ...update, isPartial: true, isRevisionArrivalTime: true, mentioned: { customer_name: 'Noura' } };
}

async function stored(transactionId: string) {
  const [order] = await sql`
    select comment, customer_name, source_revision::int as revision from orders
    where organization_id = ${shop.id} and source_transaction_id = ${transactionId}`;
  return order;
}

describe('applyVendorUpdates', () => {
  it('applies a full payload that was modified before a partial one arrived', async () => {
    await apply(fullUpdate('late', 100, 'first'));
    const results = await apply(partialUpdate('late', 300), fullUpdate('late', 200, 'second'));
    expect(results.map(({ outcome }) => outcome)).toEqual(['updated', 'updated']);
    expect(await stored('late')).toEqual({ comment: 'second', customer_name: 'Noura', revision: 200 });
  });

  it('ignores a full payload that is older than the stored one after a partial payload', async () => {
    await apply(fullUpdate('old', 100, 'first'), partialUpdate('old', 300));
    const results = await apply(fullUpdate('old', 90, 'outdated'));
    expect(results.map(({ outcome }) => outcome)).toEqual(['unchanged']);
    expect(await stored('old')).toEqual({ comment: 'first', customer_name: 'Noura', revision: 100 });
  });

  it('takes the modification time of a partial payload that has one as the revision', async () => {
    await apply(fullUpdate('timed', 100, 'first'));
    await apply({ ...partialUpdate('timed', 300), isRevisionArrivalTime: false });
    const results = await apply(fullUpdate('timed', 200, 'outdated'));
    expect(results.map(({ outcome }) => outcome)).toEqual(['unchanged']);
    expect(await stored('timed')).toMatchObject({ comment: 'first', revision: 300 });
  });
});
