import { describe, expect, it } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { BASE, startBillableServices } from './testing/start-billable-services.ts';

const { ask, asked, newService, auditOf } = await startBillableServices();

describe('access', () => {
  it.each([
    ['GET', ''],
    ['POST', ''],
    ['PATCH', `/${newId()}`],
    ['POST', `/${newId()}/assets`],
    ['POST', '/assign'],
    ['GET', '/assignments'],
    ['PATCH', `/assignments/${newId()}`],
    ['DELETE', `/assignments/${newId()}`],
  ])('%s %s returns 403 for everyone but the operator', async (method, path) => {
    const target = `${method} ${BASE}${path}`;
    expect((await ask(target, { token: 'nonsense' })).status).toBe(401);
    const refused = await ask(target, method === 'GET' || method === 'DELETE' ? {} : { body: {} });
    expect([refused.status, refused.body.error]).toEqual([403, 'Forbidden']);
  });
});

describe('the catalog', () => {
  it('creates a service from the required fields and shows all of them', async () => {
    const made = await asked(`POST ${BASE}`, { body: { code: 'SYNC', name_en: 'Sync', price_sar: 99.5 } });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(String),
        code: 'SYNC',
        name_en: 'Sync',
        name_ar: 'Sync',
        description: '',
        price_sar: 99.5,
        vat_percent: 15,
        billing_cycle: 'monthly',
        is_active: true,
        metadata: {},
        assets: [],
        created: expect.any(String),
        updated: expect.any(String),
      },
    ]);
    const { body } = await asked(`GET ${BASE}`);
    expect(body.items[0]).toEqual(made.body);
    expect(body.total_items).toBe(body.items.length);
    expect(Object.keys(body)).toEqual(['items', 'total_items']);
    expect(await auditOf(made.body.id)).toEqual([
      expect.objectContaining({
        organization_id: '00000000-0000-0000-0000-000000000000',
        actor_kind: 'operator',
        action: 'create',
      }),
    ]);
  });

  it('accepts each code once, also from twenty concurrent requests', async () => {
    const body = { code: 'TWICE', name_en: 'Sync', price_sar: 1 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => asked(`POST ${BASE}`, { body })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toEqual({ code: 409, error: 'Service code already exists', details: { code: 'TWICE' } });
  });

  it('creates one service when a request is repeated with its idempotency key', async () => {
    const request = {
      headers: { 'idempotency-key': newId() },
      body: { code: 'ONCE', name_en: 'Sync', price_sar: 1 },
    };
    const [first, second] = [await asked(`POST ${BASE}`, request), await asked(`POST ${BASE}`, request)];
    expect([second.status, second.headers.get('idempotency-hit'), second.body]).toEqual([201, 'true', first.body]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no code', { code: undefined }, 'code'],
    ['a code with a space', { code: 'A B' }, 'code'],
    ['a blank name', { name_en: ' ' }, 'name_en'],
    ['no price', { price_sar: undefined }, 'price_sar'],
    ['a price of nothing', { price_sar: 0 }, 'price_sar'],
    ['a price below nothing', { price_sar: -1 }, 'price_sar'],
    ['a part of a halala', { price_sar: 1.005 }, 'price_sar'],
    ['a sliver of a halala', { price_sar: 1e-7 }, 'price_sar'],
    ['more than there is', { price_sar: 1e9 + 1 }, 'price_sar'],
    ['a price in text', { price_sar: '10' }, 'price_sar'],
    ['more VAT than the price', { vat_percent: 101 }, 'vat_percent'],
    ['VAT in slivers', { vat_percent: 15.001 }, 'vat_percent'],
    ['an unknown cycle', { billing_cycle: 'weekly' }, 'billing_cycle'],
    ['a list as metadata', { metadata: [] }, 'metadata'],
    ['a book as metadata', { metadata: { book: 'x'.repeat(17_000) } }, 'metadata'],
  ])('422: %s', async (_what, fields, field) => {
    const body = { code: `BAD-${newId()}`, name_en: 'Sync', price_sar: 1, ...fields };
    const { status, body: refused } = await asked(`POST ${BASE}`, { body });
    expect([status, refused.error, Object.keys(refused.details)]).toEqual([422, 'Validation failed', [field]]);
  });

  it('changes only the fields in the request', async () => {
    const made = await newService({ metadata: { a: 1 }, vat_percent: 5 });
    const change = { price_sar: 0.07, metadata: { b: [2] }, is_active: false, name_ar: 'مزامنة' };
    const { status, body } = await asked(`PATCH ${BASE}/${made.id}`, { body: change });
    expect([status, body]).toEqual([200, { ...made, ...change, updated: expect.any(String) }]);
    expect(body.updated).not.toBe(made.updated);
    expect((await auditOf(made.id)).at(-1)?.changed_fields).toEqual(['name_ar', 'price_sar', 'is_active', 'metadata']);
    const again = await asked(`PATCH ${BASE}/${made.id}`, { body: change });
    expect(again.body).toEqual(body);
    expect(await auditOf(made.id)).toHaveLength(2);
  });

  it('returns 412 with the current service when it has changed since the version in If-Match', async () => {
    const made = await newService();
    const patch = (body: object, updated: string) =>
      asked(`PATCH ${BASE}/${made.id}`, { body, headers: { 'if-match': `"${updated}"` } });
    const changed = await patch({ price_sar: 5 }, made.updated);
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, `"${changed.body.updated}"`]);
    const refused = await patch({ price_sar: 6 }, made.updated);
    expect([refused.status, refused.body.details]).toEqual([412, { current: changed.body }]);
    expect((await patch({ price_sar: 6 }, changed.body.updated)).body.price_sar).toBe(6);
  });

  it('rejects changes of unknown services, codes in use and invalid values', async () => {
    const [one, other] = [await newService(), await newService()];
    for (const id of [newId(), 'nonsense']) {
      const { status, body } = await asked(`PATCH ${BASE}/${id}`, { body: { price_sar: 1 } });
      expect([status, body]).toEqual([404, { code: 404, error: 'Service not found', details: { id } }]);
    }
    const taken = await asked(`PATCH ${BASE}/${one.id}`, { body: { code: other.code } });
    expect([taken.status, taken.body.error]).toEqual([409, 'Service code already exists']);
    for (const body of [{ price_sar: 1.001 }, { price_sar: null }, { vat_percent: -1 }, { colour: 'red' }]) {
      expect((await asked(`PATCH ${BASE}/${one.id}`, { body })).status).toBe(422);
    }
  });
});
