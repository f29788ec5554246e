import { expect, expectTypeOf, test } from 'vitest';
import { testShop } from '../../test/harness/index.ts';
import { tcpProxy } from '../../test/harness/tcp-proxy.ts';
import { type Answer, createDukkan, DukkanError, type OrderEvent, type Row, type Schemas } from './index.ts';

const { service, shop } = await testShop();
const options = { baseUrl: service.baseUrl, token: shop.owner.token };
const dukkan = createDukkan(options);
const order = (n: number | string) => ({
  source_transaction_id: `sdk-${n}`,
  order_status: 'RECEIVED',
  fulfillment_status: 'None',
  total_amount: 12.5,
  skus: ['P-1'],
  products: [{ product_id: 'P-1', sku_id: 'P-1' }],
});

test('calls by name and answers by type', async () => {
  const created = await dukkan.call('createProduct', { body: { iv_id: 'P-1', name_en: 'Milk', name_ar: 'حليب' } });
  expect(created.data.iv_id).toBe('P-1');
  const product = await dukkan.call('getProduct', { path: { ivId: 'P-1' } });
  expectTypeOf(product).toEqualTypeOf<Schemas['Product']>();
  expect(product.name_ar).toBe('حليب');
  expect(await dukkan.call('deleteProduct', { path: { ivId: 'P-1' }, query: { force: true } })).toBeUndefined();
  const { status, headers, data } = await dukkan.callFull('ping');
  expect([status, typeof headers.get('x-request-id'), typeof data.message]).toEqual([200, 'string', 'string']);
});

test('a refusal is an error with everything that the service said', async () => {
  const refusal = await dukkan.call('getBranch', { path: { ivId: 'NO/WHERE' } }).catch((error) => error);
  expect(refusal).toBeInstanceOf(DukkanError);
  expect(refusal).toMatchObject({
    status: 404,
    message: 'Branch not found',
    reason: 'branch-not-found',
    details: { iv_id: 'NO/WHERE' },
    operation: 'getBranch',
    requestId: expect.any(String),
  });
  await expect(dukkan.call('getBranch', { path: { ivId: '..' } })).rejects.toThrow('getBranch needs path.ivId');
  await expect(dukkan.call('getBranches' as 'getBranch', { path: { ivId: 'A' } })).rejects.toThrow(
    'There is no operation getBranches',
  );
});

test('sends strict handling by default, so that unknown fields are refused', async () => {
  const body = { name_en: 'Almarai', name_ar: 'المراعي', colour: 'red' };
  await expect(dukkan.call('createBrand', { body } as never)).rejects.toMatchObject({ status: 422 });
  const lenient = createDukkan({ ...options, strict: false });
  const { headers } = await lenient.callFull('createBrand', { body } as never);
  expect(headers.get('x-ignored-fields')).toBe('colour');
});

test('an idempotency key of one’s own makes a repeat harmless', async () => {
  const twice = () =>
    dukkan.callFull('createBrand', { body: { name_en: 'Nadec', name_ar: 'نادك' }, idempotencyKey: 'brand-1' });
  const [first, second] = [await twice(), await twice()];
  expect(second.data).toEqual(first.data);
  expect(second.headers.get('idempotency-hit')).toBe('true');
});

test('lists are read page by page and row by row, in each of their envelopes', async () => {
  const products = Array.from({ length: 7 }, (_, n) => ({ iv_id: `L-${n}`, name_en: `Item ${n}`, name_ar: 'سلعة' }));
  await dukkan.call('saveProducts', { body: { mode: 'create', products } });
  const sizes: number[] = [];
  for await (const page of dukkan.pages('listProducts', { query: { limit: 3, sort: 'iv_id' } })) sizes.push(page.count);
  expect(sizes).toEqual([3, 3, 1]);
  const ids: string[] = [];
  for await (const row of dukkan.items('listProducts', { query: { limit: 2, page: 2, sort: 'iv_id' } }))
    ids.push(row.iv_id);
  expect(ids).toEqual(['L-2', 'L-3', 'L-4', 'L-5', 'L-6']);

  const orders = Array.from({ length: 5 }, (_, n) => order(`page-${n}`));
  await dukkan.call('createOrders', { body: { mode: 'create', orders } });
  const codes = new Set<string | null>();
  for await (const row of dukkan.items('listOrders', { query: { limit: 2 } })) {
    expectTypeOf(row).toEqualTypeOf<Row<'listOrders'>>();
    codes.add(row.order.source_transaction_id);
  }
  expect(codes.size).toBe(5);
  const canonical: string[] = [];
  for await (const row of dukkan.items('listOrders', { query: { limit: 2, format: 'canonical' } })) {
    expectTypeOf(row).toEqualTypeOf<Schemas['CanonicalOrder']>();
    canonical.push(row.status);
  }
  expect(canonical).toEqual(Array(5).fill('received'));

  await expect.poll(async () => (await dukkan.call('listOrderChanges')).events.length).toBe(5);
  const events: string[] = [];
  for await (const event of dukkan.items('listOrderChanges', { query: { limit: 2 } })) events.push(event.id);
  expect(new Set(events).size).toBe(5);
  // Whole in one answer.
  const apps: unknown[] = [];
  for await (const app of dukkan.items('listAppCatalog')) apps.push(app);
  expect(apps.length).toBeGreaterThan(5);
});

test('the form of an answer follows from what was asked for', async () => {
  const { data } = await dukkan.call('createOrder', { body: order('format') });
  expectTypeOf(data.order_number).toEqualTypeOf<string>();
  const stored = await dukkan.call('getOrder', { path: { id: data.id } });
  expect([stored.event_type, stored.order.order_status]).toEqual(['order.snapshot', 'RECEIVED']);
  const canonical = await dukkan.call('getOrder', { path: { id: data.id }, query: { format: 'canonical' } });
  expect(canonical.order.status).toBe('received');
  const csv = await dukkan.call('exportOrders', { query: { search: 'sdk-format' } });
  expectTypeOf(csv).toEqualTypeOf<string>();
  expect(csv.trim().split('\n')).toHaveLength(2);
});

test('a write can be queued, and its job waited for', async () => {
  const queued = await dukkan.callLater('createOrder', { body: order('later') });
  const job = await dukkan.finishJob(queued.data.job_id, { everyMs: 20 });
  expectTypeOf(job).toEqualTypeOf<Answer<'getJob'>>();
  expect(job.status).toBe('succeeded');
});

test('a token that was refused is asked for anew, once', async () => {
  const asked: (string | undefined)[] = [];
  const renewing = createDukkan({
    baseUrl: `${service.baseUrl}/api/v1/`,
    token: async (refused) => {
      asked.push(refused);
      return refused === undefined ? 'out of date' : shop.owner.token;
    },
  });
  expect((await renewing.call('getOrganization')).id).toBe(shop.id);
  expect(asked).toEqual([undefined, 'out of date']);
  const stubborn = createDukkan({ baseUrl: service.baseUrl, token: () => 'out of date' });
  await expect(stubborn.call('getOrganization')).rejects.toMatchObject({ status: 401, reason: 'unauthenticated' });
});

test.each([
  ['the stream', true],
  ['long polling', false],
])('%s goes on where it was cut off: nothing twice, nothing lost', async (_how, stream) => {
  const { hostname, port } = new URL(service.baseUrl);
  const proxy = await tcpProxy({ host: hostname, port: Number(port) });
  const reader = createDukkan({ ...options, baseUrl: `http://127.0.0.1:${proxy.port}` });
  const stop = new AbortController();
  const seen: OrderEvent[] = [];
  let [cuts, connected] = [0, 0];
  const following = (async () => {
    const changes = reader.changes({
      since: (await dukkan.call('listOrderChanges', { query: { cursor: 'now' } })).next_cursor,
      stream,
      signal: stop.signal,
      onReconnect: () => {
        cuts += 1;
      },
    });
    connected = 1;
    for await (const event of changes) {
      // An order of a test before this one may be published only now.
      if (!event.order.external.order_id?.startsWith(`sdk-${stream}-`)) continue;
      seen.push(event);
      // In the middle of what arrives together.
      if (seen.length % 4 === 0) {
        proxy.cut();
        setTimeout(() => proxy.restore(), 100);
      }
    }
  })();
  await expect.poll(() => connected).toBe(1);
  const placed: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const orders = Array.from({ length: 4 }, (_, m) => order(`${stream}-${n}-${m}`));
    placed.push(...orders.map((one) => one.source_transaction_id));
    await dukkan.call('createOrders', { body: { mode: 'create', orders } });
  }
  await expect.poll(() => seen.length).toBe(20);
  expect(cuts).toBeGreaterThan(0);
  stop.abort();
  await following;
  expect(seen.map((event) => event.order.external.order_id).toSorted()).toEqual(placed.toSorted());
  expect(seen.map((event) => event.cursor)).toEqual(seen.map((event) => event.cursor).toSorted());
});

test('changes can be had by type, from the oldest, and end with the loop', async () => {
  const first = dukkan.changes({ since: 'oldest', eventTypes: ['order.created'] });
  const types: string[] = [];
  for await (const event of first) {
    types.push(event.type);
    if (types.length === 3) break;
  }
  expect(types).toEqual(Array(3).fill('order.created'));
  const unheard = dukkan.changes({ since: 'no such place' });
  await expect(unheard.next()).rejects.toMatchObject({ status: 400 });
  const unauthenticated = createDukkan({ baseUrl: service.baseUrl }).changes();
  await expect(unauthenticated.next()).rejects.toMatchObject({ status: 401 });
});
