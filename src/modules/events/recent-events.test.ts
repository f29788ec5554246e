import { expect, it } from 'vitest';
import { testShop } from '../../../test/harness/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newOrder } from '../orders/testing/new-order.ts';
import { createRecentEvents } from './recent-events.ts';
import { readPositions, type StampedEvent } from './sql/events.ts';
import { eventsOf } from './sql/order-events.ts';

const { service, shop, ask } = await testShop();
const group = service.sql.layout.groupOf(shop.id);
const batch = { limit: 100, maxBodyBytes: 1_000_000 };

async function placed(count: number): Promise<number> {
  const { last } = await readPositions(service.sql, group);
  for (let made = 0; made < count; made += 1) await ask('POST /orders', { body: newOrder() });
  await expect.poll(async () => (await readPositions(service.sql, group)).last).toBe(last + count);
  return last;
}

const positionsOf = (events: StampedEvent[]) => events.map(({ position }) => position);

it('reads what is known from memory, and the rest from the database, in order', async () => {
  const recent = createRecentEvents();
  const read = (position: number, limit = 100) =>
    inTransaction(service.sql, (tx) => recent.readAfter(tx, group, position, { ...batch, limit }));
  const start = await placed(3);
  const first = await read(start);
  expect(positionsOf(first.events)).toEqual([start + 1, start + 2, start + 3]);
  await placed(2);

  const [known] = first.events;
  const all = await read(start);
  expect(all.events[0]).toBe(known);
  expect(positionsOf(all.events)).toEqual([1, 2, 3, 4, 5].map((n) => start + n));
  expect(all.more).toBe(false);
  expect(await read(start + 1, 2)).toEqual({ events: all.events.slice(1, 3), more: true });
  expect((await read(start + 5)).events).toEqual([]);
  const oneByte = { limit: 100, maxBodyBytes: 1 };
  const small = await inTransaction(service.sql, (tx) => recent.readAfter(tx, group, start, oneByte));
  expect(small).toEqual({ events: [known], more: true });

  // Of another reader, which keeps nothing.
  const { events } = await inTransaction(service.sql, (tx) => createRecentEvents().readAfter(tx, group, start, batch));
  expect(all.events).toEqual(events);
});

it('does not use events whose positions were given to others', async () => {
  const recent = createRecentEvents();
  const read = (position: number) => inTransaction(service.sql, (tx) => recent.readAfter(tx, group, position, batch));
  const start = await placed(2);
  const [, lost] = (await read(start)).events;
  // As after a failover to a server that lacks the last event.
  await service.sql`
    update order_feed set stamped_at = ${new Date(Number(lost?.stamped_at) + 5)}
    where tenant_group = ${group} and position = ${start + 2} and organization_id = ${shop.id}`;
  const { events } = await read(start);
  expect(positionsOf(events)).toEqual([start + 1, start + 2]);
  expect(events[1]).not.toEqual(lost);
});

it('finds a recent event by its position and id, for a minute', async () => {
  const recent = createRecentEvents();
  const start = await placed(1);
  const { events } = await inTransaction(service.sql, (tx) => recent.readAfter(tx, group, start, batch));
  const event = events[0] as StampedEvent;
  const { position, event_id: id, stamped_at: stampedAt } = event;
  const at = (ms: number) => new Date(stampedAt.getTime() + ms);
  expect(recent.find(group, position, id, at(1_000))).toBe(event);
  expect(recent.find(group, position, id, at(60_000))).toBeUndefined();
  expect(recent.find(group, position, 'evt_other', at(0))).toBeUndefined();
  expect(recent.find(group, position + 1, id, at(0))).toBeUndefined();
  expect(recent.find('other', position, id, at(0))).toBeUndefined();
});

it('builds the same ids and texts as the events of the feed', async () => {
  const start = await placed(2);
  const { events } = await inTransaction(service.sql, (tx) => createRecentEvents().readAfter(tx, group, start, batch));
  const inView = await service.sql`
    select organization_id, position, event_id, order_id, branch_id, type, occurred_at, stamped_at, outbox_id, body
    from ${eventsOf(service.sql, shop.id)} where position > ${start} order by position`;
  expect(events).toEqual([...inView]);
  expect(events).toHaveLength(2);
});
