import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestAccount,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { newId } from '../../platform/ids.ts';
import { MAX_NOTES_PER_ORDER } from './notes/notes-schema.ts';
import { newOrder } from './testing/new-order.ts';

let service: TestService;
let shop: TestOrganization;
let member: TestAccount;
let viewer: TestAccount;
/** Confined to the branch `olaya`. */
let confined: TestAccount;
const olaya = newId();

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  await service.sql`insert into branches (organization_id, id, iv_id, name_en, created, updated)
                    values (${shop.id}, ${olaya}, 'OLAYA', 'Olaya', now(), now())`;
  member = await testAccount(service.sql, shop.id, 'member');
  viewer = await testAccount(service.sql, shop.id, 'viewer');
  confined = await testAccount(service.sql, shop.id, 'member', { branchId: olaya });
});

const as = ({ token }: { token: string }, target: string, options: Parameters<typeof call>[2] = {}) =>
  call(service.baseUrl, target, { token, ...options });

async function placed(fields: Record<string, unknown> = {}): Promise<string> {
  const { body } = await as(shop.owner, 'POST /orders', { body: newOrder(fields) });
  return body.data.id;
}

describe('notes of an order', () => {
  const add = (account: { token: string }, id: string, body: unknown, headers?: Record<string, string>) =>
    as(account, `POST /orders/${id}/notes`, { body: { body }, ...(headers && { headers }) });

  it('are listed oldest first with their author', async () => {
    const id = await placed();
    const first = await add(member, id, '  اتصل قبل التوصيل \n');
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ success: true, message: 'Note added', data: { order_id: id } });
    await add(shop.owner, id, 'Gift wrap\nno receipt');
    const { body } = await as(viewer, `GET /orders/${id}/notes`);
    expect(body).toMatchObject({ count: 2, total_count: 2, page: 1, limit: 20, has_next: false, meta: {} });
    expect(body.data[0]).toEqual({
      id: first.body.data.id,
      order_id: id,
      body: 'اتصل قبل التوصيل',
      author: { kind: 'user', id: member.userId, name: expect.any(String) },
      created: expect.any(String),
    });
    expect(body.data[1].body).toBe('Gift wrap\nno receipt');
    expect((await as(viewer, `GET /orders/${id}/notes?page=2&limit=1`)).body.data).toEqual([body.data[1]]);
  });

  it('are added once under one Idempotency-Key', async () => {
    const id = await placed();
    const key = { 'idempotency-key': newId() };
    const first = await add(member, id, 'Once', key);
    expect((await add(member, id, 'Once', key)).body).toEqual(first.body);
    expect((await as(member, `GET /orders/${id}/notes`)).body.total_count).toBe(1);
  });

  it.each([
    ['no body', undefined],
    ['spaces only', ' \n '],
    ['2,001 characters', 'ن'.repeat(2_001)],
    ['a number', 7],
  ])('are refused with 422 for %s', async (_name, body) => {
    const { status, body: answer } = await add(member, await placed(), body);
    expect(status).toBe(422);
    expect(Object.keys(answer.details)).toEqual(['body']);
  });

  it('have 2,000 characters at most, counted without the spaces around them', async () => {
    const { status } = await add(member, await placed(), ` ${'😀'.repeat(2_000)} `);
    expect(status).toBe(201);
  });

  it('are refused with 400 when the text has a NUL', async () => {
    expect((await add(member, await placed(), 'a\0b')).status).toBe(400);
  });

  it(`are at most ${MAX_NOTES_PER_ORDER} an order, also when added at the same time`, async () => {
    const id = await placed();
    await service.sql`
      insert into order_notes (organization_id, order_id, id, body, author_kind, author_id, author_name, created)
      select ${shop.id}, ${id}, gen_random_uuid(), 'note', 'user', 'x', 'x', now()
      from generate_series(1, ${MAX_NOTES_PER_ORDER - 1})`;
    const statuses = (await Promise.all([add(member, id, 'a'), add(member, id, 'b')])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 409]);
    const { headers, body } = await add(member, id, 'c');
    expect(headers.get('x-error-reason')).toBe('too-many-notes');
    expect(body.details).toEqual({ order_id: id, limit: MAX_NOTES_PER_ORDER });
  });

  it('are deleted by their author, and by an account that may update Settings', async () => {
    const id = await placed();
    const note = async (account: TestAccount) => (await add(account, id, 'x')).body.data.id as string;
    const [ofMember, ofOwner] = [await note(member), await note(shop.owner)];
    const refused = await as(member, `DELETE /orders/${id}/notes/${ofOwner}`);
    expect([refused.status, refused.headers.get('x-error-reason')]).toEqual([403, 'missing-grant']);
    expect((await as(member, `DELETE /orders/${id}/notes/${ofMember}`)).status).toBe(204);
    expect((await as(member, `DELETE /orders/${id}/notes/${ofMember}`)).body.error).toBe('Note not found');
    const second = await note(member);
    expect((await as(shop.owner, `DELETE /orders/${id}/notes/${second}`)).status).toBe(204);
    expect((await as(shop.owner, `GET /orders/${id}/notes`)).body.total_count).toBe(1);
  });

  it('of another order are not found under this one', async () => {
    const note = (await add(member, await placed(), 'x')).body.data.id;
    expect((await as(member, `DELETE /orders/${await placed()}/notes/${note}`)).status).toBe(404);
    expect((await as(member, `DELETE /orders/${await placed()}/notes/nonsense`)).status).toBe(404);
  });
});

describe('tags of an order', () => {
  const set = (account: { token: string }, id: string, tags: unknown) =>
    as(account, `PUT /orders/${id}/tags`, { body: { tags } });

  it('are replaced as a whole and keep their order', async () => {
    const id = await placed();
    const saved = await set(member, id, [' VIP ', 'تغليف هدية', 'b2b']);
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject({
      message: 'Tags saved',
      data: { order_id: id, tags: ['VIP', 'تغليف هدية', 'b2b'] },
    });
    await set(member, id, ['b2b', 'vip']);
    expect((await as(viewer, `GET /orders/${id}/tags`)).body).toEqual({ order_id: id, tags: ['b2b', 'vip'] });
    await set(member, id, []);
    expect((await as(viewer, `GET /orders/${id}/tags`)).body.tags).toEqual([]);
  });

  it.each([
    ['a tag of spaces', ['a', ' '], { 'tags.1': 'must have 1 to 40 characters' }],
    ['an invisible tag', ['ـ'], { 'tags.0': 'must have 1 to 40 characters' }],
    ['41 characters', ['ن'.repeat(41)], { 'tags.0': 'must have 1 to 40 characters' }],
    ['a control character', ['a\tb'], { 'tags.0': 'must not contain control characters' }],
    ['the same tag in capitals', ['vip', 'x', 'VIP'], { 'tags.2': 'repeats another tag' }],
    ['the same tag in another Arabic spelling', ['هدية', 'هديه'], { 'tags.1': 'repeats another tag' }],
  ])('are refused with 422 for %s', async (_name, tags, details) => {
    const { status, body } = await set(member, await placed(), tags);
    expect([status, body.details]).toEqual([422, details]);
  });

  it('are refused with 422 when there are more than ten, or when they are no list of texts', async () => {
    const id = await placed();
    const eleven = Array.from({ length: 11 }, (_, index) => `t${index}`);
    for (const tags of [eleven, 'VIP', [7], undefined]) expect((await set(member, id, tags)).status).toBe(422);
    expect((await set(member, id, eleven.slice(1))).status).toBe(200);
  });

  it('filter the list by the whole folded tag, with an exact total on every page', async () => {
    const ids = [await placed(), await placed(), await placed({ order_status: 'DELIVERED' })];
    for (const id of ids) await set(member, id, ['Eid  Offer', id.slice(-12)]);
    await set(member, ids[1] as string, ['EID offer']);
    const found = async (query: string) => {
      const { status, body } = await as(viewer, `GET /orders?${query}`);
      expect(status).toBe(200);
      return [body.pagination.total_items, body.orders.map(({ order }: ReplyBody) => order.id)];
    };
    const newestFirst = ids.toReversed();
    // Twice: the second answer may come from the cache of first pages.
    for (const _ of [1, 2]) expect(await found('tag=eid%20offer')).toEqual([3, newestFirst]);
    expect(await found('tag=eid%20offer&limit=1&page=3')).toEqual([3, [ids[0]]]);
    expect(await found('tag=eid%20offer&status=DELIVERED')).toEqual([1, [ids[2]]]);
    expect(await found('tag=eid')).toEqual([0, []]);
    expect(await found('tag=%25')).toEqual([0, []]);
    await set(member, ids[2] as string, []);
    expect(await found('tag=eid%20offer')).toEqual([2, [ids[1], ids[0]]]);
    const csv = await as(shop.owner, 'GET /orders/dashboard/export?tag=eid%20offer');
    expect(csv.text.trim().split('\n')).toHaveLength(3);
  });

  it('are counted over the orders, most used first', async () => {
    const other = await testOrganization(service.sql);
    const order = async () => (await as(other.owner, 'POST /orders', { body: newOrder() })).body.data.id as string;
    await set(other.owner, await order(), ['vip', 'gift']);
    await set(other.owner, await order(), ['VIP']);
    await set(other.owner, await order(), ['VIP']);
    const { body } = await as(other.owner, 'GET /orders/tags');
    expect(body).toEqual({
      data: [
        { tag: 'VIP', orders: 3 },
        { tag: 'gift', orders: 1 },
      ],
      count: 2,
    });
  });
});

describe('access', () => {
  const requests = (id: string): [string, unknown?][] => [
    [`GET /orders/${id}/notes`],
    [`POST /orders/${id}/notes`, { body: 'x' }],
    [`DELETE /orders/${id}/notes/${newId()}`],
    [`GET /orders/${id}/tags`],
    [`PUT /orders/${id}/tags`, { tags: ['x'] }],
  ];

  it('answers 404 for an unknown order and for a malformed id', async () => {
    for (const id of [newId(), 'nonsense'])
      for (const [target, body] of requests(id)) {
        const answer = await as(shop.owner, target, { body });
        expect([target, answer.status, answer.body.error]).toEqual([target, 404, 'Order not found']);
      }
  });

  it('lets an account of one branch reach the orders of that branch only', async () => {
    const [own, others] = [await placed({ destination: olaya }), await placed()];
    for (const [target, body] of requests(others)) expect((await as(confined, target, { body })).status).toBe(404);
    expect((await as(confined, `PUT /orders/${own}/tags`, { body: { tags: ['ours'] } })).status).toBe(200);
    await as(shop.owner, `PUT /orders/${others}/tags`, { body: { tags: ['theirs'] } });
    expect((await as(confined, 'GET /orders/tags')).body.data).toEqual([{ tag: 'ours', orders: 1 }]);
    expect((await as(confined, 'GET /orders?tag=theirs')).body.orders).toEqual([]);
  });

  it('needs update on Orders for changes', async () => {
    const id = await placed();
    for (const [target, body] of requests(id)) {
      const { status } = await as(viewer, target, { body });
      expect([target, status]).toEqual([target, target.startsWith('GET') ? 200 : 403]);
    }
  });

  it('deletes notes and tags with their order, and leaves its events as they were', async () => {
    const id = await placed();
    const before = (await as(shop.owner, `GET /orders/${id}`)).body.order;
    await as(member, `POST /orders/${id}/notes`, { body: { body: 'x' } });
    await as(member, `PUT /orders/${id}/tags`, { body: { tags: ['gone'] } });
    expect((await as(shop.owner, `GET /orders/${id}`)).body.order).toEqual(before);
    await as(shop.owner, 'DELETE /orders/bulk', { body: { order_ids: [id] } });
    const { sql } = service;
    expect(await sql`select 1 from order_notes where order_id = ${id}`).toHaveLength(0);
    expect(await sql`select 1 from order_tags where order_id = ${id}`).toHaveLength(0);
    expect((await as(shop.owner, `GET /orders/${id}/notes`)).status).toBe(404);
  });
});
