import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { FEED_SETTINGS } from './settings.ts';
import { readPositions } from './sql/events.ts';
import { readAfter } from './sql/read-after.ts';
import { writeChanges } from './testing/write-changes.ts';

const POLL_OPTIONS = { interval: 20 };
const EVENT_BYTES = 256 * 1024;
let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  service = await testService();
});
beforeEach(async () => {
  shop = await testOrganization(service.sql);
});

const as = (target: string, token = shop.owner.token) => call(service.baseUrl, target, { token });

async function feedOf(organization: TestOrganization, count: number): Promise<ReplyBody[]> {
  const read = async () =>
    (await as('GET /orders/changes?event_types=order.created&limit=500', organization.owner.token)).body.events;
  await expect.poll(async () => (await read()).length, POLL_OPTIONS).toBe(count);
  return read();
}

describe('bounds in bytes', () => {
  it('a page of large orders ends early with has_more', async () => {
    const orders = await writeChanges(
      service.sql,
      shop.id,
      Array.from({ length: 40 }, () => ({ bytes: EVENT_BYTES })),
    );
    const stamped = async () =>
      (await service.sql`select count(*) as stamped from order_feed where organization_id = ${shop.id}`)[0]?.stamped;
    await expect.poll(stamped, POLL_OPTIONS).toBe(40);
    const seen: string[] = [];
    const sizes: number[] = [];
    let [cursor, hasMore] = ['', true];
    while (hasMore) {
      const page = await as(`GET /orders/changes?limit=500&cursor=${cursor}`);
      sizes.push(page.text.length);
      seen.push(...page.body.events.map((event: ReplyBody) => event.order_id));
      cursor = page.body.next_cursor;
      hasMore = page.body.has_more;
    }
    expect(seen).toEqual(orders);
    expect(sizes.length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(FEED_SETTINGS.pageBytes + 2 * EVENT_BYTES);
  });

  it('a batch of a follower ends early', async () => {
    const group = service.sql.layout.groupOf(shop.id);
    const { last } = await readPositions(service.sql, group);
    await writeChanges(
      service.sql,
      shop.id,
      Array.from({ length: 6 }, () => ({ bytes: EVENT_BYTES })),
    );
    await expect.poll(async () => (await readPositions(service.sql, group)).last, POLL_OPTIONS).toBe(last + 6);
    const batch = await readAfter(service.sql, group, last, { limit: 500, maxBodyBytes: 2 * EVENT_BYTES });
    expect(batch.events.map((event) => event.position)).toEqual([last + 1, last + 2]);
    expect(batch.more).toBe(true);
    const rest = await readAfter(service.sql, group, last + 2, { limit: 500, maxBodyBytes: 100 * EVENT_BYTES });
    expect([rest.events.length, rest.more]).toEqual([4, false]);
  });
});

describe('positions', () => {
  it('reveal only the tenant’s own events', async () => {
    const neighbour = await testOrganization(service.sql);
    for (let round = 0; round < 4; round += 1) {
      await writeChanges(service.sql, neighbour.id, [{}, {}, {}]);
      await writeChanges(service.sql, shop.id, [{}]);
    }
    await feedOf(neighbour, 12);
    const events = await feedOf(shop, 4);
    expect(events.map((event) => Number(event.cursor.slice(0, 16)))).toEqual([1, 2, 3, 4]);
    expect(events.map((event) => event.id.split('_')[2].slice(0, -10))).toEqual(['1', '2', '3', '4']);
    const cursors = events.map((event) => event.cursor);
    expect(cursors.toSorted()).toEqual(cursors);
    const now = (await as('GET /orders/changes?cursor=now')).body.next_cursor;
    expect(Number(now.slice(0, 16))).toBe(4);
    const test = await as('GET /orders/changes?cursor=');
    expect(test.body.events.map((event: ReplyBody) => event.cursor)).toEqual(cursors);
  });

  it('of two tenants give different event ids at the same time', async () => {
    const neighbour = await testOrganization(service.sql);
    const at = new Date();
    await writeChanges(service.sql, neighbour.id, [{ at }]);
    await writeChanges(service.sql, shop.id, [{ at }]);
    const [ours] = await feedOf(shop, 1);
    const [theirs] = await feedOf(neighbour, 1);
    expect(ours.cursor).toBe(theirs.cursor);
    expect(ours.id).toMatch(/^evt_\d+_\d+$/);
    expect(ours.id).not.toBe(theirs.id);
  });

  it('of another tenant beyond the own end are refused, since reading from there would skip own events', async () => {
    const neighbour = await testOrganization(service.sql);
    await writeChanges(service.sql, neighbour.id, [{}, {}, {}]);
    const theirs = await feedOf(neighbour, 3);
    await writeChanges(service.sql, shop.id, [{}]);
    await feedOf(shop, 1);
    const refused = await as(`GET /orders/changes?cursor=${theirs[2].cursor}`);
    expect(refused.status).toBe(400);
    expect(refused.body.details).toEqual({ cursor: 'is not a cursor of this feed' });
    expect((await as(`GET /orders/changes/stream?cursor=${theirs[2].cursor}`)).status).toBe(400);
  });
});
