import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amount, call, testAccount, testService } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { eventsOf, type StampedEvent } from '../events/index.ts';
import { createOrganization } from '../identity/index.ts';
import { projectEvents } from './project-orders.ts';
import { rebuildSales } from './rebuild-sales.ts';
import { salesCaughtUp } from './testing/caught-up.ts';
import { type RandomOrder, type Step, step } from './testing/histories.ts';
import { type Picture, readPicture, recount } from './testing/recount.ts';

const clock = movableClock(new Date());
const service = await testService({}, { clock });
const { sql } = service;

const zones = fc.constantFrom('Asia/Riyadh', 'America/New_York', 'UTC');
const histories = fc.array(step, { minLength: 5, maxLength: 25 });

// A run takes a second or two: a failure is reported as it is, with its seed, and not made smaller for minutes.
const quick = { endOnFailure: true };

type Shop = { id: string; timeZone: string; token: string; branches: string[]; channels: string[] };

async function openShop(timeZone: string): Promise<Shop> {
  const now = clock.now();
  const id = await createOrganization(sql, { nameEn: 'Shop', nameAr: 'متجر', timeZone, now });
  const { token } = await testAccount(sql, id, 'owner');
  const branches = [newId(), newId()];
  const channels = [newId(), newId()];
  for (const branch of branches) {
    await sql`insert into branches (organization_id, id, iv_id, name_en, created, updated)
              values (${id}, ${branch}, ${branch}, 'Branch', ${now}, ${now})`;
  }
  for (const [index, channel] of channels.entries()) {
    await sql`insert into app_installs (organization_id, id, app_slug, name_en, name_ar, family, kind, created, updated)
              values (${id}, ${channel}, ${`app-${index}`}, 'App', 'تطبيق', 'delivery_app', 'app', ${now}, ${now})`;
  }
  return { id, timeZone, token, branches, channels };
}

async function play(shop: Shop, history: Step[]): Promise<void> {
  const { token, branches, channels } = shop;
  const body = ({ branch, channel, ...order }: RandomOrder) => ({
    ...order,
    destination: branch === null ? null : branches[branch],
    source: channel === null ? null : channels[channel],
    skus: ['S-1'],
  });
  const ids: string[] = [];
  const pick = (which: number) => ids[which % ids.length] ?? newId();
  for (const one of history) {
    if (one.do === 'wait') clock.advanceMs(one.hours * 3_600_000);
    if (one.do === 'create') {
      for (const order of one.orders) {
        const created = await call(service.baseUrl, 'POST /orders', { token, body: body(order) });
        expect(created.status).toBe(201);
        ids.push(created.body.data?.id ?? '');
      }
    }
    if (one.do === 'replace') {
      await call(service.baseUrl, `PUT /orders/${pick(one.which)}`, { token, body: body(one.order) });
    }
    if (one.do === 'advance') {
      const updates = one.moves.map(({ which, status }) => ({ id: pick(which), ...status }));
      const moved = await call(service.baseUrl, 'PATCH /orders/bulk/status', { token, body: { updates } });
      expect(moved.status).toBe(200);
    }
    if (one.do === 'delete') {
      const removed = await call(service.baseUrl, 'DELETE /orders/bulk', { token, body: one.which.map(pick) });
      expect(removed.status).toBe(200);
    }
  }
}

const expected = (shop: Shop): Promise<Picture> => recount(sql, shop.id, shop.timeZone);
const actual = (shop: Shop): Promise<Picture> => readPicture(sql, shop.id);

function eventsOfShop(shop: Shop): Promise<StampedEvent[]> {
  return sql<StampedEvent[]>`
    select * from ${eventsOf(sql, shop.id)} where organization_id = ${shop.id} order by position`;
}

describe('the projections equal a recount', () => {
  test('after any history, after a rebuild, and after projecting the same events again', async () => {
    await fc.assert(
      fc.asyncProperty(zones, histories, fc.integer({ min: 4, max: 20 }), async (zone, history, batchSize) => {
        const shop = await openShop(zone);
        await play(shop, history);
        await salesCaughtUp(sql);
        const counted = await expected(shop);
        expect(await actual(shop)).toEqual(counted);

        const events = await eventsOfShop(shop);
        for (let from = 0; from < events.length; from += batchSize) {
          await inTransaction(sql, (tx) => projectEvents(tx, events.slice(from, from + batchSize)));
          // After every batch and not only after the last: earlier states must not appear in between.
          expect(await actual(shop)).toEqual(counted);
        }

        await rebuildSales(sql, shop.id);
        expect(await actual(shop)).toEqual(counted);
        expect(await sql`select 1 from customer_spending where orders = 0`).toHaveLength(0);

        // From nothing but the events, in batches of another size.
        await inTransaction(sql, async (tx) => {
          await tx`delete from projected_orders where organization_id = ${shop.id}`;
          await tx`delete from daily_sales where organization_id = ${shop.id}`;
          await tx`delete from daily_product_sales where organization_id = ${shop.id}`;
          await tx`delete from organization_sales where organization_id = ${shop.id}`;
          await tx`delete from monthly_product_sales where organization_id = ${shop.id}`;
          await tx`delete from customers where organization_id = ${shop.id}`;
          await tx`delete from customer_spending where organization_id = ${shop.id}`;
          await tx`delete from list_totals where organization_id = ${shop.id}`;
          for (let from = 0; from < events.length; from += batchSize) {
            await projectEvents(tx, events.slice(from, from + batchSize));
          }
        });
        expect(await actual(shop)).toEqual(counted);
      }),
      { numRuns: amount({ usual: 6, long: 12 }), ...quick },
    );
  });

  test('after rebuilds that run while orders change', async () => {
    await fc.assert(
      fc.asyncProperty(zones, fc.array(step, { minLength: 20, maxLength: 40 }), async (zone, history) => {
        const shop = await openShop(zone);
        let playing = true;
        const played = play(shop, history).finally(() => {
          playing = false;
        });
        let rebuilds = 0;
        while (playing) {
          await rebuildSales(sql, shop.id);
          rebuilds += 1;
        }
        await played;
        expect(rebuilds).toBeGreaterThan(0);
        await salesCaughtUp(sql);
        expect(await actual(shop)).toEqual(await expected(shop));
      }),
      { numRuns: amount({ usual: 3, long: 6 }), ...quick },
    );
  });
});
