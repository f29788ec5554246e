import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newOrder } from '../orders/testing/new-order.ts';
import { dropOldEvents } from './publisher.ts';

const clock = movableClock(new Date('2026-11-15T08:00:00Z'));
let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  service = await testService({}, { clock });
});
// A tenant a test: each has a feed of its own.
beforeEach(async () => {
  shop = await testOrganization(service.sql);
});

const as = (target: string, options: Parameters<typeof call>[2] = {}) =>
  call(service.baseUrl, target, { token: shop.owner.token, ...options });

async function place(fields: Record<string, unknown> = {}): Promise<string> {
  return (await as('POST /orders', { body: newOrder(fields) })).body.data.id;
}

/** The tenant's whole feed, once it has this many events. */
async function feed(count: number): Promise<ReplyBody[]> {
  let events: ReplyBody[] = [];
  await expect
    .poll(async () => {
      events = (await as('GET /orders/changes?limit=500')).body.events;
      return events.length;
    })
    .toBe(count);
  return events;
}

describe('events of a write', () => {
  it('order.created has no changed fields and no previous status', async () => {
    const id = await place({ payment_status: 'processing' });
    const [event] = await feed(1);
    expect(Object.keys(event)).toEqual([
      'spec_version',
      'id',
      'type',
      'occurred_at',
      'organization_id',
      'cursor',
      'order_id',
      'change',
      'changed_fields',
      'status_from',
      'status_to',
      'payment_status_from',
      'payment_status_to',
      'order',
    ]);
    expect(event).toMatchObject({
      spec_version: '2026-09-29',
      type: 'order.created',
      change: 'created',
      organization_id: shop.id,
      order_id: id,
      changed_fields: [],
      status_from: '',
      status_to: 'received',
      payment_status_from: '',
      payment_status_to: 'pending',
    });
    expect(event.id).toMatch(/^evt_\d{16}_\d+$/);
    expect(event.occurred_at).toMatch(/T\d\d:\d\d:\d\d\.\d{6}Z$/);
    const { order } = (await as(`GET /orders/${id}?format=canonical`)).body;
    expect(event.order).toEqual(order);
  });

  it.each([
    [{ order_status: 'DISPATCHED' }, 'order.status_changed', ['order_status'], 'dispatched'],
    [{ order_status: 'Rejected' }, 'order.cancelled', ['order_status'], 'cancelled'],
    [{ payment_status: 'refunded' }, 'order.refunded', ['payment_status'], 'received'],
    [
      { order_status: 'canceled', payment_status: 'refunded' },
      'order.cancelled',
      ['order_status', 'payment_status'],
      'cancelled',
    ],
    [{ order_status: 'preparing' }, 'order.updated', ['order_status'], 'received'],
    [{ payment_status: 'completed' }, 'order.updated', ['payment_status'], 'received'],
    [{ fulfillment_status: 'Full' }, 'order.updated', ['fulfillment_status'], 'received'],
    [{ notes: 'call twice' }, 'order.updated', ['comment'], 'received'],
  ])('%j is %s', async (body, type, changedFields, statusTo) => {
    await as(`PATCH /orders/${await place()}/status`, { body });
    const [, event] = await feed(2);
    expect(event).toMatchObject({ type, changed_fields: changedFields, status_from: 'received', status_to: statusTo });
    expect(event.change).toBe(type.slice('order.'.length));
  });

  it('writes no event when nothing changed', async () => {
    const id = await place();
    await as(`PATCH /orders/${id}/status`, { body: { order_status: 'RECEIVED' } });
    await as(`PATCH /orders/${id}/status`, { body: {} });
    await as(`PATCH /orders/${id}/status`, { body: { order_status: 'DELIVERED' } });
    await as(`PATCH /orders/${id}/status`, { body: { order_status: 'RECEIVED' } });
    expect((await feed(2)).map((event) => event.type)).toEqual(['order.created', 'order.status_changed']);
  });

  it('a move between branches is departed for one and updated for the other', async () => {
    const branch = async (ivId: string) => (await as('POST /branches', { body: { iv_id: ivId } })).body.data.id;
    const [from, to] = [await branch('A'), await branch('B')];
    const order = newOrder({ destination: from });
    const { id } = (await as('POST /orders', { body: order })).body.data;
    await as(`PUT /orders/${id}`, { body: { ...order, destination: to } });
    const events = await feed(3);
    expect(events.map((event) => event.type)).toEqual(['order.created', 'order.departed', 'order.updated']);
    expect(events[2].changed_fields).toEqual(['destination_id', 'store_name']);

    const account = (branchId: string) => testAccount(service.sql, shop.id, 'member', { branchId });
    const seenBy = async (branchId: string) => {
      const { token } = await account(branchId);
      return (await as('GET /orders/changes', { token })).body.events.map((event: ReplyBody) => event.type);
    };
    expect(await seenBy(from)).toEqual(['order.created', 'order.departed']);
    expect(await seenBy(to)).toEqual(['order.updated']);
  });

  it('order.deleted holds the last state of the order', async () => {
    const id = await place();
    await as('DELETE /orders/bulk', { body: [id] });
    const [, event] = await feed(2);
    expect(event).toMatchObject({ type: 'order.deleted', change: 'deleted', order_id: id, order: { id } });
  });
});

describe('GET /orders/changes', () => {
  it('pages by cursor; an event’s own cursor leads to the next one', async () => {
    for (let index = 0; index < 5; index += 1) await place();
    const all = await feed(5);
    const first = (await as('GET /orders/changes?limit=2')).body;
    expect(Object.keys(first)).toEqual(['spec_version', 'organization_id', 'events', 'next_cursor', 'has_more']);
    expect(first).toMatchObject({ spec_version: '2026-09-29', organization_id: shop.id, has_more: true });
    const second = (await as(`GET /orders/changes?limit=100&cursor=${first.next_cursor}`)).body;
    expect(second.has_more).toBe(false);
    expect([...first.events, ...second.events]).toEqual(all);
    const afterThird = (await as(`GET /orders/changes?cursor=${all[2].cursor}`)).body.events;
    expect(afterThird).toEqual(all.slice(3));
    expect((await as(`GET /orders/changes?cursor=${second.next_cursor}`)).body.events).toEqual([]);
  });

  it('serves the same bytes every time', async () => {
    await place({ customer_name: 'سارة "الحربي"', total_amount: 0.1 });
    await feed(1);
    const one = await as('GET /orders/changes');
    const other = await as('GET /orders/changes?limit=1');
    const bodyOf = (text: string) => text.slice(text.indexOf('"events":['), text.indexOf('],"next_cursor"'));
    expect(bodyOf(one.text)).toBe(bodyOf(other.text));
  });

  it('skips existing events with cursor=now', async () => {
    await place();
    await feed(1);
    const { events, next_cursor } = (await as('GET /orders/changes?cursor=now')).body;
    expect(events).toEqual([]);
    const id = await place();
    await feed(2);
    const later = (await as(`GET /orders/changes?cursor=${next_cursor}`)).body.events;
    expect(later.map((event: ReplyBody) => event.order_id)).toEqual([id]);
  });

  it('filters by type, repeated or with commas', async () => {
    const id = await place();
    await as(`PATCH /orders/${id}/status`, { body: { order_status: 'DISPATCHED' } });
    await as(`PATCH /orders/${id}/status`, { body: { payment_status: 'refunded' } });
    await feed(3);
    const types = async (query: string) =>
      (await as(`GET /orders/changes?${query}`)).body.events.map((event: ReplyBody) => event.type);
    expect(await types('event_types=order.refunded')).toEqual(['order.refunded']);
    expect(await types('event_types=order.refunded,order.created')).toEqual(['order.created', 'order.refunded']);
    expect(await types('event_types=order.refunded&event_types=order.created')).toEqual([
      'order.created',
      'order.refunded',
    ]);
  });

  it('waits for an event with wait', async () => {
    const { next_cursor } = (await as('GET /orders/changes?cursor=now')).body;
    const waiting = as(`GET /orders/changes?cursor=${next_cursor}&wait=30`);
    const id = await place();
    expect((await waiting).body.events.map((event: ReplyBody) => event.order_id)).toEqual([id]);
  });

  it('clamps a large limit and returns 400 for invalid parameters', async () => {
    expect((await as('GET /orders/changes?limit=100000')).status).toBe(200);
    for (const query of ['limit=0', 'limit=x', 'wait=31', 'wait=-1', 'cursor=garbage', 'event_types=order.exploded']) {
      expect((await as(`GET /orders/changes?${query}`)).status, query).toBe(400);
    }
  });

  it('shows no events of another tenant', async () => {
    await place();
    const [event] = await feed(1);
    const foreign = await testOrganization(service.sql);
    const { token } = foreign.owner;
    expect((await as('GET /orders/changes', { token })).body.events).toEqual([]);
    const before = `${String(Number(event.cursor.slice(0, 16)) - 1).padStart(16, '0')}${event.cursor.slice(16)}`;
    expect((await as(`GET /orders/changes?cursor=${before}`, { token })).body.events).toEqual([]);
  });
});

describe('GET /orders/changes/stream', () => {
  async function readStream(path: string, headers: Record<string, string>, count: number): Promise<string[]> {
    const stop = new AbortController();
    const response = await fetch(`${service.baseUrl}/api/v1${path}`, {
      headers: { authorization: `Bearer ${shop.owner.token}`, ...headers },
      signal: stop.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const ids: string[] = [];
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      ids.length = 0;
      ids.push(...[...text.matchAll(/^id: (.+)$/gm)].map((match) => match[1] ?? ''));
      if (ids.length >= count) break;
    }
    stop.abort();
    return ids;
  }

  it('sends events as they come and resumes after Last-Event-ID', async () => {
    await place();
    await place();
    const [first, second] = await feed(2);
    expect(await readStream(`/orders/changes/stream?cursor=${first.cursor}`, {}, 1)).toEqual([second.cursor]);
    // Without a cursor from the oldest that is kept, as the pages do.
    expect(await readStream('/orders/changes/stream', {}, 2)).toEqual([first.cursor, second.cursor]);
    const resumed = readStream('/orders/changes/stream', { 'last-event-id': first.cursor }, 2);
    await place();
    const third = (await feed(3))[2];
    expect(await resumed).toEqual([second.cursor, third.cursor]);
  });

  it('returns 400 for an invalid cursor', async () => {
    expect((await as('GET /orders/changes/stream?cursor=garbage')).status).toBe(400);
  });
});

// Last: it moves the clock for good.
describe('retention', () => {
  it('410 for a cursor older than thirty days, with the earliest one that works', async () => {
    await place();
    const [old] = await feed(1);
    clock.advanceMs(20 * 86_400_000);
    const id = await place();
    await feed(2);
    clock.advanceMs(11 * 86_400_000);
    const refused = await as(`GET /orders/changes?cursor=${old.cursor}`);
    expect(refused.status).toBe(410);
    expect(refused.body.error).toBe('Cursor expired');
    const { earliest_cursor } = refused.body.details;
    const kept = (await as(`GET /orders/changes?cursor=${earliest_cursor}`)).body.events;
    expect(kept.map((event: ReplyBody) => event.order_id)).toEqual([id]);
    expect((await as('GET /orders/changes')).body.events).toHaveLength(1);
  });

  it('drops whole weeks', async () => {
    const weeks = async () =>
      (
        await service.sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'order_feed'::regclass order by 1`
      ).map((row) => row.name);
    const before = await weeks();
    clock.advanceMs(30 * 86_400_000);
    await dropOldEvents(service.platform);
    const after = await weeks();
    expect(after.length).toBeLessThan(before.length);
    const group = service.sql.layout.groupOf(shop.id);
    const [positions] = await service.sql`
      select last_position, first_kept_position from event_positions where tenant_group = ${group}`;
    expect(positions?.first_kept_position).toBe((positions?.last_position ?? 0) + 1);
  });
});
