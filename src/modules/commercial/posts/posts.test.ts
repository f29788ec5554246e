import { describe, expect, it } from 'vitest';
import { type Call, commercialAccount, testOrganization, testShop } from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { listPostsFor } from './index.ts';

const { service, shop, ask } = await testShop();
const { sql } = service;
const operator = await commercialAccount(sql);
const asked = (target: string, options: Call = {}) => ask(target, { token: operator.token, ...options });
const announce = async (fields: Record<string, unknown> = {}) => {
  const { status, text, body } = await asked('POST /commercial/posts', {
    body: { title_en: 'News', title_ar: 'أخبار', ...fields },
  });
  expect(status, text).toBe(201);
  return body;
};

describe('access', () => {
  it.each(['GET', 'POST', 'PATCH', 'DELETE'])('%s is for the operator only', async (method) => {
    const target = `${method} /commercial/posts${method === 'GET' || method === 'POST' ? '' : `/${newId()}`}`;
    expect((await ask(target, { token: 'nonsense' })).status).toBe(401);
    const refused = await ask(target, method === 'PATCH' || method === 'POST' ? { body: {} } : {});
    expect([refused.status, refused.body.error]).toEqual([403, 'Forbidden']);
  });
});

describe('posts', () => {
  it('are created, listed, changed and deleted', async () => {
    const made = await announce({ body_en: 'Hello', from: '2026-11-01T00:00:00+03:00', audience: [shop.id] });
    expect(made).toEqual({
      id: expect.any(String),
      title_en: 'News',
      title_ar: 'أخبار',
      body_en: 'Hello',
      body_ar: '',
      from: '2026-10-31T21:00:00.000Z',
      until: null,
      audience: [shop.id],
      created: expect.any(String),
      updated: expect.any(String),
    });
    const change = { body_ar: 'أهلا', until: '2026-12-01T00:00:00.000Z', audience: 'all' };
    const changed = await asked(`PATCH /commercial/posts/${made.id}`, { body: change });
    expect([changed.status, changed.body]).toEqual([200, { ...made, ...change, updated: expect.any(String) }]);
    const forGood = await asked(`PATCH /commercial/posts/${made.id}`, { body: { until: null } });
    expect(forGood.body.until).toBeNull();
    expect((await asked('GET /commercial/posts')).body).toEqual({ items: [forGood.body], total_items: 1 });
    const removed = await asked(`DELETE /commercial/posts/${made.id}`);
    expect([removed.status, removed.body]).toEqual([200, forGood.body]);
    for (const id of [made.id, 'nonsense']) {
      const again = await asked(`DELETE /commercial/posts/${id}`);
      expect([again.status, again.body]).toEqual([404, { code: 404, error: 'Post not found', details: { id } }]);
      expect((await asked(`PATCH /commercial/posts/${id}`, { body: { body_en: '' } })).status).toBe(404);
    }
    const entries = await sql`
      select organization_id, actor_kind, action, changed_fields from audit_entries where resource_id = ${made.id} order by id`;
    expect(entries.map(({ action, changed_fields }) => [action, changed_fields])).toEqual([
      ['create', []],
      ['update', ['body_ar', 'until', 'audience']],
      ['update', ['until']],
      ['delete', []],
    ]);
    expect(entries[0]).toMatchObject({
      organization_id: '00000000-0000-0000-0000-000000000000',
      actor_kind: 'operator',
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no title', { title_en: undefined }, 'title_en'],
    ['a blank title', { title_ar: ' ' }, 'title_ar'],
    ['a book', { body_en: 'x'.repeat(10_001) }, 'body_en'],
    ['a time that is none', { from: 'now' }, 'from'],
    ['an end before the beginning', { from: '2026-11-02T00:00:00Z', until: '2026-11-01T00:00:00Z' }, 'until'],
    ['an unknown audience', { audience: 'some' }, 'audience'],
    ['nobody', { audience: [] }, 'audience'],
    ['too many', { audience: Array.from({ length: 501 }, newId) }, 'audience'],
    ['what is no organization', { audience: ['x'] }, 'audience.0'],
    ['an unknown organization', { audience: [newId()] }, 'audience.0'],
  ])('422: %s', async (_what, fields, field) => {
    const body = { title_en: 'News', title_ar: 'أخبار', ...fields };
    const refused = await asked('POST /commercial/posts', { body });
    expect([refused.status, Object.keys(refused.body.details).at(-1)]).toEqual([422, field]);
  });

  it('reject a change that leaves an invalid post', async () => {
    const { id } = await announce({ from: '2026-11-02T00:00:00Z' });
    for (const body of [{ until: '2026-11-01T00:00:00Z' }, { audience: [newId()] }, { title_en: '' }, { colour: 1 }]) {
      expect((await asked(`PATCH /commercial/posts/${id}`, { body })).status).toBe(422);
    }
    await asked(`DELETE /commercial/posts/${id}`);
  });

  it('return 412 with the current post when it has changed since the version in If-Match', async () => {
    const { id, updated } = await announce({});
    const patch = (body: object, version: string) =>
      asked(`PATCH /commercial/posts/${id}`, { body, headers: { 'if-match': `"${version}"` } });
    const changed = await patch({ body_en: 'One' }, updated);
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, `"${changed.body.updated}"`]);
    const refused = await patch({ body_en: 'Two' }, updated);
    expect([refused.status, refused.body.details]).toEqual([412, { current: changed.body }]);
    await asked(`DELETE /commercial/posts/${id}`);
  });

  it('are created once for an idempotency key', async () => {
    const request = {
      headers: { 'idempotency-key': newId() },
      body: { title_en: 'Once', title_ar: 'مرة', audience: [shop.id] },
    };
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await asked('POST /commercial/posts', request)).body.id),
    );
    expect(new Set(ids).size).toBe(1);
    await asked(`DELETE /commercial/posts/${ids[0]}`);
  });

  it('are shown to their audience within their period, the newest twenty', async () => {
    const now = new Date('2026-11-15T12:00:00Z');
    const other = await testOrganization(sql);
    const past = { from: '2026-11-01T00:00:00Z' };
    await announce({ title_en: 'over', ...past, until: '2026-11-15T12:00:00Z' });
    await announce({ title_en: 'to come', from: '2026-11-15T12:00:01Z' });
    await announce({ title_en: 'theirs', ...past, audience: [other.id] });
    await announce({ title_en: 'last moment', from: '2026-11-02T00:00:00Z', until: '2026-11-15T12:00:01Z' });
    await announce({ title_en: 'just now', from: '2026-11-15T12:00:00Z', audience: [other.id, shop.id] });
    const titles = async (id: string) => (await listPostsFor(sql, id, now)).map(({ title_en }) => title_en);
    expect(await titles(shop.id)).toEqual(['just now', 'last moment']);
    expect(await titles(other.id)).toEqual(['just now', 'last moment', 'theirs']);
    expect(await titles(newId())).toEqual(['last moment']);
    expect(Object.keys((await listPostsFor(sql, shop.id, now))[0] ?? {})).not.toContain('audience');
    for (let count = 0; count < 20; count += 1) await announce({ from: '2026-11-10T00:00:00Z' });
    expect(await titles(shop.id)).toHaveLength(20);
  });
});
