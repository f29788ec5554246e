import { expect, it } from 'vitest';
import { call, testOrganization, testService } from '../../../../test/harness/index.ts';
import { newOrder } from '../testing/new-order.ts';

it('stores only the declared fields of an asynchronous order in its job', async () => {
  // Without a worker: the input of a finished job is deleted.
  const service = await testService({ DUKKAN_ROLES: 'api' });
  const { owner } = await testOrganization(service.sql);
  const shipping_address = { note: 'kept' };
  const body = { ...newOrder({ shipping_address }), undeclared: 'x'.repeat(100_000) };
  const headers = { 'x-async': 'true' };
  const queued = await call(service.baseUrl, 'POST /orders', { token: owner.token, body, headers });
  expect(queued.status).toBe(202);
  const [job] = await service.sql<{ input: { order: object } }[]>`
    select input from jobs where id = ${queued.body.data.job_id}`;
  expect(job?.input.order).toMatchObject({ shipping_address });
  expect(job?.input.order).not.toHaveProperty('undeclared');
});
