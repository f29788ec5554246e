import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { DIRECT_CHANNEL, NO_BRANCH } from '../order.ts';
import type { OrderInput } from '../schema.ts';
import { newOrder } from '../testing/new-order.ts';
import { buildOrder } from './build-order.ts';

const MAX_BYTES = 262_144;
const TOO_LARGE = 'must be at most 262144 bytes as JSON';

let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
});

const as = (target: string, options: Parameters<typeof call>[2] = {}) =>
  call(service.baseUrl, target, { token: shop.owner.token, ...options });

/** Arabic letters take two bytes: the limit counts bytes. */
const filled = (letters: number) => newOrder({ shipping_address: { note: 'م'.repeat(letters) } });
const tooLarge = () => filled(MAX_BYTES / 2);
const large = () => filled(MAX_BYTES / 2 - 1_000);

describe('an order of more than 256 kB', () => {
  it('is refused with 422, while one just below the limit is placed', async () => {
    const reply = await as('POST /orders', { body: tooLarge() });
    expect(reply.status).toBe(422);
    expect(reply.body).toEqual({ code: 422, error: 'Validation failed', details: { order: TOO_LARGE } });
    expect((await as('POST /orders', { body: large() })).status).toBe(201);
  });

  it('is refused whichever field is large, and with an idempotency key', async () => {
    const line = { product_id: 'P', sku_id: 'S', own: 'x'.repeat(MAX_BYTES) };
    const headers = { 'idempotency-key': 'large-1' };
    expect((await as('POST /orders', { body: newOrder({ products: [line] }), headers })).status).toBe(422);
  });

  it('fails as a single item of a bulk call', async () => {
    const bad = tooLarge();
    const reply = await as('POST /orders/bulk', { body: [newOrder(), bad] });
    expect(reply.body.data).toEqual({
      succeeded: 1,
      failed: 1,
      errors: { [String(bad.source_transaction_id)]: `order ${TOO_LARGE}` },
    });
  });

  it('is refused by PUT, and by PATCH when a note makes it too large', async () => {
    const { id } = (await as('POST /orders', { body: large() })).body.data;
    expect((await as(`PUT /orders/${id}`, { body: tooLarge() })).body.details).toEqual({ order: TOO_LARGE });
    const noted = await as(`PATCH /orders/${id}/status`, { body: { notes: 'م'.repeat(5_000) } });
    expect(noted.body.details).toEqual({ order: TOO_LARGE });
    expect((await as(`PATCH /orders/${id}/status`, { body: { order_status: 'DELIVERED' } })).status).toBe(200);
  });

  it('is refused before it is queued', async () => {
    const reply = await as('POST /orders', { body: tooLarge(), headers: { 'x-async': 'true' } });
    expect(reply.status).toBe(422);
    expect(reply.body.details).toEqual({ order: TOO_LARGE });
  });

  it('fails the job when only the name of the branch makes it too large', async () => {
    const branch = await as('POST /branches', { body: { iv_id: 'LONG', name_en: 'b'.repeat(255) } });
    const unfilled = { ...filled(0), destination: branch.body.data.id };
    const bare = buildOrder(shop.id, unfilled as OrderInput, NO_BRANCH, DIRECT_CHANNEL, new Date());
    const bytesLeft = MAX_BYTES - Buffer.byteLength(JSON.stringify(bare));
    const body = { ...unfilled, shipping_address: { note: 'x'.repeat(bytesLeft) } };
    const queued = await as('POST /orders', { body, headers: { 'x-async': 'true' } });
    expect(queued.status).toBe(202);
    const job = () => call(service.baseUrl, `GET ${queued.body.data.status_url}`, { token: shop.owner.token });
    await expect.poll(async () => (await job()).body.status).toBe('failed');
    expect((await job()).body.error).toMatchObject({ code: 422, details: { order: TOO_LARGE } });
  });
});
