import { expect, it } from 'vitest';
import { connectToGroup } from '../../../../test/harness/group-server.ts';
import { isOnCluster, type TestOrganization, testOrganization, testService } from '../../../../test/harness/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { DIRECT_CHANNEL, NO_BRANCH, type ReadyOrder } from '../order.ts';
import type { OrderInput } from '../schema.ts';
import { newOrder } from '../testing/new-order.ts';
import { buildOrder } from './build-order.ts';
import { placeAlone } from './place-order.ts';

const MAX_CONCURRENT_BATCHES = isOnCluster() ? 2 : 4;
const MAX_BATCH = 64;
const MAX_WAITING_PER_TENANT = 500;

function readyOrder(shop: TestOrganization, fields: Record<string, unknown> = {}): ReadyOrder {
  const order = buildOrder(shop.id, newOrder(fields) as OrderInput, NO_BRANCH, DIRECT_CHANNEL, new Date());
  return { order, json: JSON.stringify(order), isOverflow: false };
}

/** The result if it is there by the next event loop iteration: that of a refusal is, that of a write is not. */
const answerNow = (answer: Promise<unknown> | undefined) =>
  Promise.race([answer, new Promise((resolve) => setImmediate(resolve, 'pending'))]);

it('limits the waiting orders of a tenant and writes orders of another tenant before them', async () => {
  const service = await testService();
  const busy = await testOrganization(service.sql);
  // Of the same group: on a cluster each has batches of its own.
  const group = service.sql.layout.groupOf(busy.id);
  let calm = await testOrganization(service.sql);
  while (service.sql.layout.groupOf(calm.id) !== group) calm = await testOrganization(service.sql);
  const server = await connectToGroup({ url: service.databaseUrl, sql: service.sql }, group);
  const watching = await connectToGroup({ url: service.databaseUrl, sql: service.sql }, group);
  const orders = server.table('orders');
  const { ordering } = service.service;
  const answered: string[] = [];
  const place = (shop: TestOrganization, fields?: Record<string, unknown>) =>
    ordering.insertBatched(readyOrder(shop, fields)).then(
      (placed) => {
        answered.push(shop.id);
        return placed;
      },
      (error: unknown) => error,
    );

  // While this lock is held nothing can be written, so that all batches and the queue fill up.
  const locked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = inTransaction(server.sql, async (tx) => {
    await tx`lock table ${tx(orders)} in exclusive mode`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const underWay = Array.from({ length: MAX_CONCURRENT_BATCHES * MAX_BATCH }, () => place(busy));
  const blocked = async () => {
    const [row] = await watching.sql<{ count: number }[]>`
        select count(*) as count from pg_locks where not granted and relation = ${orders}::text::regclass`;
    return row?.count;
  };
  await expect.poll(blocked).toBe(MAX_CONCURRENT_BATCHES);
  const waiting = Array.from({ length: MAX_WAITING_PER_TENANT }, () => place(busy));
  const refused = await answerNow(place(busy));
  const ofJob = newId();
  const job = placeAlone(ordering, { organizationId: busy.id, branchId: null }, newOrder() as OrderInput, ofJob);
  const late = place(calm);
  const note = 'x'.repeat(200_000);
  const large = Array.from({ length: 90 }, () => place(calm, { shipping_address: { note } }));
  const refusedForSize = await answerNow(large.at(-1));
  release.resolve();
  await holding;

  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  expect(refusedForSize).toMatchObject({ status: 429 });
  expect((await job).id).toBe(ofJob);
  expect(await late).toBe(true);
  // At most the batches under way and one more for each of them are answered first.
  expect(answered.indexOf(calm.id)).toBeLessThanOrEqual(2 * MAX_CONCURRENT_BATCHES * MAX_BATCH);
  await Promise.all([...underWay, ...waiting, ...large]);
});
