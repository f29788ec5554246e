import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { atEndOfFile } from '../../../test/harness/end-of-file.ts';
import { askGroup } from '../../../test/harness/group-server.ts';
import { connectPatiently } from '../../../test/harness/index.ts';
import { ensureWeeks, inTransaction, type Sql, weekStart } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { ORDER_CHANGE_WEEKS, ORDER_FEED_WEEKS } from '../events/publisher.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { IN_FLIGHT_LIMITS, MAX_IN_FLIGHT_PER_ORGANIZATION, PRIORITY, processShare } from './delivery.ts';
import { createInFlight } from './in-flight.ts';
import { settleOutcomes } from './settle-outcomes.ts';
import type { Claim } from './sql/claims.ts';
import { updateQueues } from './sql/subscription-queues.ts';
import { claimRequest, type DeliveryTables, ended, openDeliveryTables, retryOf } from './testing/delivery-tables.ts';

const FIRST = IN_FLIGHT_LIMITS.healthy[PRIORITY.first];
const OWN_FIRST = processShare(FIRST);
let shop: DeliveryTables;

beforeAll(async () => {
  shop = await openDeliveryTables();
});

beforeEach(async () => {
  await shop.sql`truncate webhook_subscription_queues, webhook_queued_deliveries, webhook_leases, webhook_deliveries`;
});

function countBy(claims: Claim[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { subscription_id } of claims) counts[subscription_id] = (counts[subscription_id] ?? 0) + 1;
  return counts;
}

describe('claimDeliveries', () => {
  it('claims due deliveries oldest first, and each once', async () => {
    const { organization, ids } = await shop.tenantWith(1);
    const [id = ''] = ids;
    const late = await shop.deliveries(organization, id, 2, { created: new Date(shop.now.getTime() - 1000) });
    const due = await shop.deliveries(organization, id, 2);
    await shop.deliveries(organization, id, 2, { created: new Date(shop.now.getTime() + 1000) });
    const claims = await shop.claim({ maxItems: 3 });
    expect(claims.map((claim) => claim.delivery_id).sort()).toEqual([...late, due[0]].sort());
    expect(await shop.claim()).toMatchObject([{ delivery_id: due[1] }]);
    expect(await shop.claim()).toEqual([]);
    expect(await shop.claim({ now: new Date(shop.now.getTime() + 1000) })).toHaveLength(2);
  });

  it.each(['paused', 'disabled'] as const)('claims only manual deliveries of a %s subscription', async (status) => {
    const { organization, ids } = await shop.tenantWith(1);
    const [id = ''] = ids;
    await inTransaction(shop.sql, (tx) => updateQueues(tx, id, status, false));
    await shop.deliveries(organization, id, 1);
    await shop.deliveries(organization, id, 1, { priority: PRIORITY.retry });
    const byHand = await shop.deliveries(organization, id, 1, { priority: PRIORITY.manual });
    expect((await shop.claim()).map((claim) => claim.delivery_id)).toEqual(byHand);
    await inTransaction(shop.sql, (tx) => updateQueues(tx, id, 'active', false));
    expect(await shop.claim()).toHaveLength(2);
  });

  it('sets the due time of an empty queue to null', async () => {
    const { organization, ids } = await shop.tenantWith(1);
    const [id = ''] = ids;
    await shop.deliveries(organization, id, 1);
    await shop.sql`delete from webhook_queued_deliveries`;
    expect(await shop.claim()).toEqual([]);
    expect((await shop.queues(id)).map((queue) => queue.due_at)).toEqual([null, null, null]);
  });
});

describe('a claim beside another process', () => {
  it('reports contention while the other has locked all due queues, and none once nothing is due', async () => {
    const { organization, ids } = await shop.tenantWith(1);
    const [id = ''] = ids;
    await shop.deliveries(organization, id, 1);
    const claim = () => claimDeliveries(shop.sql, createInFlight(), claimRequest(shop.now));
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const other = inTransaction(shop.sql, async (tx) => {
      await tx`select 1 from webhook_subscription_queues where subscription_id = ${id} for update`;
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    expect(await claim()).toEqual({ deliveries: [], hasMore: false, isContended: true });
    released.resolve();
    await other;
    expect((await claim()).deliveries).toHaveLength(1);
    expect(await claim()).toEqual({ deliveries: [], hasMore: false, isContended: false });
  });
});

describe('the body of a claimed delivery', () => {
  it('is read by the position of its event, although the tables were empty when they were analyzed', async () => {
    const { now } = shop;
    // A single connection, whose statistics can be flushed.
    const sql = connectPatiently(shop.url, 1);
    sql.useLayout(shop.sql.layout);
    atEndOfFile(() => sql.end({ timeout: 1 }));
    const { organization, ids } = await shop.tenantWith(1);
    const group = sql.layout.groupOf(organization);
    await ensureWeeks(sql, ORDER_FEED_WEEKS, now);
    await ensureWeeks(sql, ORDER_CHANGE_WEEKS, now);
    await sql`vacuum analyze`;
    await sql`
      insert into order_changes (organization_id, id, week, order_id, type, occurred_us, tail)
      select ${organization}, n, ${weekStart(now)}, ${newId()}, 'order.created', 0, '","n":' || n || '}'
      from generate_series(1, ${EVENTS}::int) n`;
    await sql`
      insert into order_feed (tenant_group, organization_id, tenant_position, position, order_id, change_id, week, stamped_at)
      select ${group}, ${organization}, n, n, ${newId()}, n, ${weekStart(now)}, ${now} from generate_series(1, ${EVENTS}::int) n`;
    await shop.deliveries(organization, ids[0] ?? '', 20, { event_position: EVENTS - 7 });
    const readBefore = await feedEntriesRead(sql, group);
    const { deliveries } = await claimDeliveries(sql, createInFlight(), claimRequest(now));
    expect(deliveries.map(({ body }) => JSON.parse(String(body)).n)).toEqual(Array(20).fill(EVENTS - 7));
    expect((await feedEntriesRead(sql, group)) - readBefore).toBeLessThanOrEqual(20);
  });

  const EVENTS = 20_000;

  async function feedEntriesRead(sql: Sql, group: string): Promise<number> {
    await askGroup(sql, group, sql`select 'flushed' as answer from pg_stat_force_next_flush()`);
    const entries = await askGroup(
      sql,
      group,
      sql`select sum(idx_tup_read)::text as answer from pg_stat_user_indexes where relname like 'order\\_feed\\_2%'`,
    );
    return Number(entries);
  }
});

describe('in-flight limits', () => {
  it('hold a subscription at its limit until deliveries are settled', async () => {
    const { organization, ids } = await shop.tenantWith(1);
    const [id = ''] = ids;
    await shop.deliveries(organization, id, 300);
    const claims = [...(await shop.claim()), ...(await shop.claim())];
    expect(claims).toHaveLength(FIRST);
    expect(await shop.claim()).toEqual([]);
    await settleOutcomes(
      shop.sql,
      claims.slice(0, 5).map((claim) => ended(claim, shop.now)),
      shop.now,
    );
    expect(await shop.claim()).toHaveLength(5);
  });

  it('are lowered for a failing receiver until it answers again', async () => {
    const { organization, ids } = await shop.tenantWith(1);
    const [id = ''] = ids;
    await shop.deliveries(organization, id, 300);
    const claims = await shop.claim();
    await settleOutcomes(
      shop.sql,
      claims.map((claim) => retryOf(claim, shop.now, 10_000)),
      shop.now,
    );
    const few = await shop.claim();
    expect(few).toHaveLength(IN_FLIGHT_LIMITS.failing[PRIORITY.first]);
    await settleOutcomes(
      shop.sql,
      few.map((claim) => ended(claim, shop.now)),
      shop.now,
    );
    expect(await shop.claim()).toHaveLength(OWN_FIRST);
    // Its retries have a queue of their own.
    const retries = await shop.claim({ now: new Date(shop.now.getTime() + 10_000), maxItems: 1000 });
    expect(retries.filter((claim) => claim.priority === PRIORITY.retry)).toHaveLength(
      processShare(IN_FLIGHT_LIMITS.healthy[PRIORITY.retry]),
    );
  });

  it('leave part of a tenant to other processes', async () => {
    const { organization, ids } = await shop.tenantWith(4);
    for (const id of ids) await shop.deliveries(organization, id, 300);
    const [one, two] = [createInFlight(), createInFlight()];
    async function takeAll(inFlight = one): Promise<number> {
      for (let claims = await shop.claim({}, inFlight); claims.length > 0; claims = await shop.claim({}, inFlight)) {
        for (const claim of claims) inFlight.add(claim);
      }
      return inFlight.total();
    }
    const most = processShare(MAX_IN_FLIGHT_PER_ORGANIZATION);
    const first = await takeAll(one);
    expect(first).toBeGreaterThan(most / 2);
    expect(first).toBeLessThanOrEqual(most);
    const second = await takeAll(two);
    expect(second).toBeGreaterThanOrEqual((MAX_IN_FLIGHT_PER_ORGANIZATION - most) / 2);
    expect(first + second).toBeLessThanOrEqual(MAX_IN_FLIGHT_PER_ORGANIZATION);
  });

  it('hold a tenant at its limit over all its subscriptions', async () => {
    const { organization, ids } = await shop.tenantWith(6);
    for (const id of ids) await shop.deliveries(organization, id, 300);
    const other = await shop.tenantWith(1);
    await shop.deliveries(other.organization, other.ids[0] ?? '', 10);
    const claims: Claim[] = [];
    for (let more = await shop.claim(); more.length > 0; more = await shop.claim()) claims.push(...more);
    expect(claims.filter((claim) => claim.organization_id === organization)).toHaveLength(
      MAX_IN_FLIGHT_PER_ORGANIZATION,
    );
    expect(claims.filter((claim) => claim.organization_id === other.organization)).toHaveLength(10);
  });

  it('leave half of the free slots of a tenant to its other receivers when one hangs', async () => {
    const { organization, ids } = await shop.tenantWith(4);
    const inFlight = createInFlight();
    const taken: number[] = [];
    for (const id of ids) {
      await shop.deliveries(organization, id, 300);
      const claims = await shop.claim({}, inFlight);
      for (const claim of claims) inFlight.add(claim);
      taken.push(claims.length);
    }
    expect(taken).toEqual([64, 32, 16, 8]);
  });

  it('leave slots for a further receiver however many hang', async () => {
    const MAX = 512;
    let inFlight = 0;
    for (let hanging = 0; hanging < 40; hanging += 1) {
      const { organization, ids } = await shop.tenantWith(1);
      await shop.deliveries(organization, ids[0] ?? '', 50);
      for (let more = 1; more > 0; ) {
        more = (await shop.claim({ freeSlots: MAX - inFlight, maxItems: MAX - inFlight })).length;
        inFlight += more;
      }
    }
    expect(inFlight).toBeLessThan(MAX - 16);
    const { organization, ids } = await shop.tenantWith(1);
    const [id = ''] = ids;
    await shop.deliveries(organization, id, 3);
    const claims = await shop.claim({ freeSlots: MAX - inFlight, maxItems: MAX - inFlight });
    expect(Object.keys(countBy(claims))).toEqual([id]);
  });

  it('exclude failing receivers when the last slots are reserved', async () => {
    const { organization, ids } = await shop.tenantWith(2);
    const [bad = '', good = ''] = ids;
    await inTransaction(shop.sql, (tx) => updateQueues(tx, bad, 'active', true));
    for (const id of ids) await shop.deliveries(organization, id, 3);
    await shop.deliveries(organization, bad, 1, { priority: PRIORITY.manual });
    expect(countBy(await shop.claim({ includesFailing: false }))).toEqual({ [good]: 3, [bad]: 1 });
    expect(countBy(await shop.claim())).toEqual({ [bad]: IN_FLIGHT_LIMITS.failing[PRIORITY.first] });
  });

  it('serve subscriptions round-robin, whatever the length of a backlog', async () => {
    const { organization, ids } = await shop.tenantWith(1);
    await shop.deliveries(organization, ids[0] ?? '', 500, { created: new Date(shop.now.getTime() - 60_000) });
    const others = await Promise.all(Array.from({ length: 5 }, () => shop.tenantWith(1)));
    for (const other of others) await shop.deliveries(other.organization, other.ids[0] ?? '', 1);
    const counts = countBy(await shop.claim({ maxItems: 8 }));
    expect(counts).toEqual({
      [ids[0] ?? '']: 3,
      ...Object.fromEntries(others.map((other) => [other.ids[0], 1])),
    });
  });

  it('bound retries and leave the other slots to first attempts', async () => {
    for (let count = 0; count < 4; count += 1) {
      const { organization, ids } = await shop.tenantWith(1);
      const [id = ''] = ids;
      await shop.deliveries(organization, id, 20, {
        priority: PRIORITY.retry,
        created: new Date(shop.now.getTime() - 1000),
      });
      await shop.deliveries(organization, id, 20);
    }
    const claims = await shop.claim({ maxItems: 40, maxRetries: 5 });
    expect(claims).toHaveLength(40);
    expect(claims.filter((claim) => claim.priority === PRIORITY.retry)).toHaveLength(5);
    const rest = await shop.claim({ maxRetries: 0 });
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.filter((claim) => claim.priority === PRIORITY.retry)).toEqual([]);
  });
});

describe('concurrent claims', () => {
  it('claim each delivery once and exceed no limit', async () => {
    const tenants = [await shop.tenantWith(3), await shop.tenantWith(3), await shop.tenantWith(1)];
    for (const { organization, ids } of tenants) for (const id of ids) await shop.deliveries(organization, id, 60);
    const claimed: Claim[] = [];
    const mostInFlight = new Map<string, number>();
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let idle = 0; idle < 8; ) {
          const claims = await shop.claim({ maxItems: 20 });
          idle = claims.length === 0 ? idle + 1 : 0;
          claimed.push(...claims);
          const rows = await shop.sql<{ organization_id: string; claimed: number }[]>`
            select organization_id, count(*) as claimed from webhook_queued_deliveries where claim_id is not null group by 1`;
          for (const row of rows) {
            mostInFlight.set(row.organization_id, Math.max(row.claimed, mostInFlight.get(row.organization_id) ?? 0));
          }
          await settleOutcomes(
            shop.sql,
            claims.map((claim) => ended(claim, shop.now)),
            shop.now,
          );
        }
      }),
    );
    expect(claimed).toHaveLength(7 * 60);
    expect(new Set(claimed.map((claim) => claim.delivery_id)).size).toBe(7 * 60);
    for (const most of mostInFlight.values()) expect(most).toBeLessThanOrEqual(MAX_IN_FLIGHT_PER_ORGANIZATION);
    const [left] = await shop.sql`select count(*) as queue from webhook_queued_deliveries`;
    expect(left).toEqual({ queue: 0 });
    const [log] = await shop.sql`
      select count(*) as delivered, max(jsonb_array_length(attempt_log)) as most from webhook_deliveries
      where status = 'delivered' and attempts = 1`;
    expect(log).toEqual({ delivered: 420, most: 1 });
  });
});

describe('a subscription that the service disables', () => {
  const DAY_MS = 86_400_000;

  it.each([
    ['by 410', 410, 0],
    ['after three days of failing', 500, 3 * DAY_MS],
  ])('is recorded in the audit with the actor system: %s', async (_how, code, failingMs) => {
    const { organization, ids } = await shop.tenantWith(2);
    const [id = '', other = ''] = ids;
    const failingSince = failingMs === 0 ? null : new Date(shop.now.getTime() - failingMs);
    await shop.sql`update webhook_subscriptions set failing_since = ${failingSince} where id = ${id}`;
    await shop.deliveries(organization, id, 2);
    await shop.deliveries(organization, other, 1);
    const claims = (await shop.claim()).filter((claim) => ids.includes(claim.subscription_id));
    const outcomes = claims.map((claim) => {
      const outcome = retryOf(claim, shop.now, 10_000);
      return { ...outcome, attempt: { ...outcome.attempt, status_code: claim.subscription_id === id ? code : 500 } };
    });
    await settleOutcomes(shop.sql, outcomes, shop.now);
    // One entry, though two of its deliveries failed.
    const entries = await shop.sql`
      select actor_kind, actor_id, action, resource, resource_id, changed_fields, at
      from audit_entries where organization_id = ${organization}`;
    expect([...entries]).toEqual([
      {
        actor_kind: 'system',
        actor_id: 'system',
        action: 'disable',
        resource: 'Webhooks',
        resource_id: id,
        changed_fields: ['status', 'disabled_reason'],
        at: shop.now,
      },
    ]);
  });
});
