import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { eventsOf } from '../../events/index.ts';
import { newOrder } from '../testing/new-order.ts';

let service: TestService;
let shop: TestOrganization;
const olaya = newId();
const malaz = newId();

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  const now = new Date();
  for (const id of [olaya, malaz]) {
    await service.sql`insert into branches (organization_id, id, iv_id, name_en, created, updated)
                      values (${shop.id}, ${id}, ${id}, 'Branch', ${now}, ${now})`;
  }
});

const as = (token: string, target: string, body?: unknown) => call(service.baseUrl, target, { token, body });

async function place(fields: Record<string, unknown> = {}): Promise<string> {
  const { body } = await as(shop.owner.token, 'POST /orders', newOrder(fields));
  return body.data?.id ?? '';
}

const stamped = () =>
  expect
    .poll(async () => (await service.sql<{ left: number }[]>`select count(*) as left from order_outbox`)[0]?.left)
    .toBe(0);

async function types(id: string, token = shop.owner.token): Promise<string[]> {
  await stamped();
  const { status, body } = await as(token, `GET /orders/${id}/timeline`);
  expect(status).toBe(200);
  return body.events?.map((event: ReplyBody) => String(event.type)) ?? [];
}

describe('GET /orders/{id}/timeline', () => {
  test('returns the events oldest first, byte for byte as in the feed', async () => {
    const id = await place({ customer_name: 'نورة', products: [{ product_id: 'a', sku_id: 'b', price: 1.1 }] });
    await as(shop.owner.token, `PATCH /orders/${id}/status`, { order_status: 'ready' });
    await as(shop.owner.token, `PATCH /orders/${id}/status`, { order_status: 'DELIVERED' });
    await stamped();
    const { text, body, headers } = await as(shop.owner.token, `GET /orders/${id}/timeline`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(body)).toEqual([
      'spec_version',
      'organization_id',
      'order_id',
      'page',
      'limit',
      'has_next',
      'events',
    ]);
    expect(body).toMatchObject({ spec_version: '2026-09-29', organization_id: shop.id, order_id: id });
    expect(body.events?.map((event: ReplyBody) => event.type)).toEqual([
      'order.created',
      'order.status_changed',
      'order.status_changed',
    ]);
    const stored = await service.sql<{ body: string }[]>`
      select body from ${eventsOf(service.sql, shop.id)} where order_id = ${id} order by position`;
    expect(text.endsWith(`"events":[${stored.map((row) => row.body).join(',')}]}`)).toBe(true);
  });

  test('is paginated', async () => {
    const id = await place();
    for (const notes of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await as(shop.owner.token, `PATCH /orders/${id}/status`, { notes });
    }
    await as(shop.owner.token, 'DELETE /orders/bulk', [id]);
    await stamped();
    const page = async (query: string) => {
      const { status, body } = await as(shop.owner.token, `GET /orders/${id}/timeline${query}`);
      expect(status).toBe(200);
      const { events, ...head } = body;
      return { ...head, seen: events.map((event: ReplyBody) => event.order.comment ?? event.change) };
    };
    expect(await page('')).toMatchObject({ page: 1, limit: 100, has_next: false });
    expect(await page('?limit=3')).toMatchObject({ page: 1, limit: 3, has_next: true, seen: ['created', 'a', 'b'] });
    expect(await page('?limit=3&page=2')).toMatchObject({ page: 2, has_next: true, seen: ['c', 'd', 'e'] });
    expect(await page('?limit=3&page=3')).toMatchObject({ page: 3, has_next: false, seen: ['f', 'f'] });
    expect(await page('?limit=4&page=2')).toMatchObject({ page: 2, has_next: false, seen: ['d', 'e', 'f', 'f'] });
    expect(await page('?limit=3&page=4')).toMatchObject({ page: 4, has_next: false, seen: [] });
    for (const query of ['limit=501', 'limit=0', 'page=0', 'page=x', 'limit=1.5']) {
      expect((await as(shop.owner.token, `GET /orders/${id}/timeline?${query}`)).status).toBe(400);
    }
  });

  test('streams large events completely, byte for byte', async () => {
    const products = Array.from({ length: 300 }, (_, index) => ({
      product_id: `P-${index}`,
      sku_id: `P-${index}`,
      name: 'x'.repeat(400),
    }));
    const id = await place({ products });
    for (let index = 0; index < 11; index += 1) {
      await as(shop.owner.token, `PATCH /orders/${id}/status`, { notes: `note ${index}` });
    }
    await stamped();
    const stored = (
      await service.sql<
        { body: string }[]
      >`select body from ${eventsOf(service.sql, shop.id)} where order_id = ${id} order by position`
    ).map((row) => row.body);
    expect(stored.join('').length).toBeGreaterThan(1_500_000);
    const { text, headers } = await as(shop.owner.token, `GET /orders/${id}/timeline?limit=10`);
    expect(headers.get('transfer-encoding')).toBe('chunked');
    expect(text.endsWith(`"has_next":true,"events":[${stored.slice(0, 10).join(',')}]}`)).toBe(true);
    const rest = await as(shop.owner.token, `GET /orders/${id}/timeline?limit=10&page=2`);
    expect(rest.text.endsWith(`"has_next":false,"events":[${stored.slice(10).join(',')}]}`)).toBe(true);
  });

  test('is available after the order was deleted', async () => {
    const id = await place();
    await as(shop.owner.token, 'DELETE /orders/bulk', [id]);
    expect(await types(id)).toEqual(['order.created', 'order.deleted']);
    expect(await types(id.toUpperCase())).toEqual(['order.created', 'order.deleted']);
  });

  test('is empty for an order older than the feed', async () => {
    const id = await place();
    await stamped();
    await service.sql`delete from order_feed where order_id = ${id}`;
    expect(await types(id)).toEqual([]);
  });

  test('shows a branch the events from the arrival of the order until it left', async () => {
    const confined = (branchId: string) => testAccount(service.sql, shop.id, 'member', { branchId });
    const [atOlaya, atMalaz] = await Promise.all([confined(olaya), confined(malaz)]);
    const id = await place({ destination: olaya });
    expect(await types(id, atOlaya.token)).toEqual(['order.created']);
    expect((await as(atMalaz.token, `GET /orders/${id}/timeline`)).status).toBe(404);

    await as(shop.owner.token, `PUT /orders/${id}`, newOrder({ destination: malaz }));
    expect(await types(id, atMalaz.token)).toEqual(['order.updated']);
    expect((await as(atOlaya.token, `GET /orders/${id}/timeline`)).status).toBe(404);
    expect(await types(id)).toEqual(['order.created', 'order.departed', 'order.updated']);
  });

  test.each([newId(), 'no-id', '%20'])('returns 404 for %s', async (id) => {
    const { status, body } = await as(shop.owner.token, `GET /orders/${id}/timeline`);
    expect([status, body.error]).toEqual([404, 'Order not found']);
  });

  test("returns 404 for another tenant's order", async () => {
    const id = await place();
    const other = await testOrganization(service.sql);
    expect((await as(other.owner.token, `GET /orders/${id}/timeline`)).status).toBe(404);
  });

  test('returns 401 without a token and 403 without the grant', async () => {
    const id = await place();
    expect((await call(service.baseUrl, `GET /orders/${id}/timeline`)).status).toBe(401);
    const shut = await testAccount(service.sql, shop.id, 'viewer', { withheld: ['read:Orders'] });
    expect((await as(shut.token, `GET /orders/${id}/timeline`)).status).toBe(403);
  });
});
