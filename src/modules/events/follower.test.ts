import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, type TestService, testOrganization, testService } from '../../../test/harness/index.ts';
import { retryDeadLettered, showDeadLettered } from '../../cli/event-commands.ts';
import { createNotifier } from '../../platform/background/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { createFollower } from './follower.ts';
import { createRecentEvents } from './recent-events.ts';
import { readPositions, type StampedEvent } from './sql/events.ts';
import { readFollowerFigures } from './sql/followers.ts';
import { writeChanges } from './testing/write-changes.ts';

const METRICS_TOKEN = 'metrics-token';
const POLL_OPTIONS = { interval: 20 };
const clock = movableClock(new Date());
let service: TestService;
let organizationId: string;
let token: string;

beforeAll(async () => {
  service = await testService({ METRICS_TOKEN }, { clock });
});
beforeEach(async () => {
  const shop = await testOrganization(service.sql);
  organizationId = shop.id;
  token = shop.owner.token;
});

/** One that begins where the feed stands, and that the test may trip up. */
async function follow(name: string, handle: (tx: Tx, events: StampedEvent[]) => Promise<void>) {
  const { platform } = service;
  for (const { id } of service.sql.layout.groups) {
    const { last } = await readPositions(service.sql, id);
    await service.sql`insert into event_followers (tenant_group, name, position) values (${id}, ${name}, ${last})`;
  }
  const feed = createNotifier(platform.sql, platform.log, `unused_${name}`);
  const quiet = { ...platform, log: pino({ level: 'silent' }) };
  const taken: string[] = [];
  const follower = createFollower(quiet, feed, createRecentEvents(), {
    name,
    batchSize: 20,
    writesToGroup: true,
    async handle(tx, events) {
      await handle(tx, events);
    },
    afterCommit: (events) => taken.push(...events.map((event) => event.order_id)),
  });
  await follower.start();
  return { name, taken, follower };
}

const deadLetteredOf = (follower: string) =>
  service.sql`select position, organization_id, error, retry_asked from dead_letter_events where follower = ${follower}`;

describe('an event that cannot be processed', () => {
  it('is dead-lettered after some attempts; all others are processed once and in order', async () => {
    const tries = new Map<string, number>();
    let bad = '';
    const { name, taken, follower } = await follow('tripping', async (_tx, events) => {
      for (const { order_id } of events) tries.set(order_id, (tries.get(order_id) ?? 0) + 1);
      if (events.some((event) => event.order_id === bad)) throw new Error('no such unit: \u0000 barrel');
    });
    bad = newId();
    const orders = Array.from({ length: 30 }, (_, index) => (index === 17 ? bad : newId()));
    await writeChanges(
      service.sql,
      organizationId,
      orders.map((orderId) => ({ orderId })),
    );
    await expect.poll(() => taken.length, POLL_OPTIONS).toBe(29);
    expect(taken).toEqual(orders.filter((id) => id !== bad));
    expect(tries.get(bad)).toBeGreaterThanOrEqual(3);
    const [deadLetter, ...others] = await deadLetteredOf(name);
    expect(others).toEqual([]);
    expect(deadLetter).toMatchObject({
      organization_id: organizationId,
      error: 'no such unit:  barrel',
      retry_asked: false,
    });

    const [figures] = await readFollowerFigures(service.sql, [name], clock.now(), new Date(0)).then((all) =>
      all.filter((one) => one.name === name),
    );
    expect(figures).toMatchObject({ events_behind: 0, seconds_behind: 0, dead_lettered: 1, dead_lettered_last_day: 1 });

    // The operator lists the dead letters, fixes the cause and requests a retry.
    expect(await showDeadLettered(service.platform)).toMatchObject({
      dead_letters: [{ follower: name, position: deadLetter?.position }],
    });
    expect(await retryDeadLettered(service.platform, 'no-such-follower')).toEqual({ asked_for: 0 });
    expect(await retryDeadLettered(service.platform, name)).toEqual({ asked_for: 1 });
    await expect.poll(async () => (await deadLetteredOf(name))[0]?.retry_asked, POLL_OPTIONS).toBe(false);
    bad = '';
    await retryDeadLettered(service.platform);
    await expect.poll(() => deadLetteredOf(name), POLL_OPTIONS).toEqual([]);
    await expect.poll(() => taken.at(-1), POLL_OPTIONS).toBe(orders[17]);
    await follower.stop();
  });

  it('is recognized by a data error of the database', async () => {
    const { name, taken, follower } = await follow('dividing', async (tx, events) => {
      if (events.some((event) => event.branch_id !== null)) await tx`select 1 / 0`;
    });
    const orders = await writeChanges(service.sql, organizationId, [{}, { branchId: newId() }, {}]);
    await expect.poll(() => taken, POLL_OPTIONS).toEqual([orders[0], orders[2]]);
    expect(await deadLetteredOf(name)).toMatchObject([{ error: 'division by zero' }]);
    await follower.stop();
    await service.sql`delete from dead_letter_events`;
  });
});

describe('a failure of the database', () => {
  const troubles: [string, (tx: Tx) => Promise<unknown>][] = [
    ['a connection that is cut', (tx) => tx`select pg_terminate_backend(pg_backend_pid())`],
    [
      'a statement that takes too long',
      (tx) => tx`select set_config('statement_timeout', '20ms', true), pg_sleep(0)`.then(() => tx`select pg_sleep(5)`),
    ],
    ['a table that is not there (yet)', (tx) => tx`select 1 from not_there_yet`],
    ['a lock that cannot be had', (tx) => tx`do $$ begin raise exception using errcode = '55P03'; end $$`],
    ['a full disk', (tx) => tx`do $$ begin raise exception using errcode = '53100'; end $$`],
  ];
  type Troubled = Awaited<ReturnType<typeof follow>> & { failures: number };
  const troubled = new Map<string, Troubled>();
  let orders: string[];

  /** All at once: each waits half a second after a failure, eight times. */
  beforeAll(async () => {
    for (const [what, fail] of troubles) {
      const following = await follow(`troubled by ${what}`, async (tx) => {
        const one = troubled.get(what);
        if (one === undefined) throw new Error('events came before any were written');
        one.failures += 1;
        if (one.failures <= 8) await fail(tx);
      });
      troubled.set(what, { ...following, failures: 0 });
    }
    orders = await writeChanges(service.sql, (await testOrganization(service.sql)).id, [{}]);
  });

  it.each(troubles)('dead-letters nothing: %s', async (what) => {
    const one = troubled.get(what);
    if (one === undefined) throw new Error('not followed');
    await expect.poll(() => one.taken, POLL_OPTIONS).toEqual(orders);
    expect(one.failures).toBeGreaterThan(8);
    expect(await deadLetteredOf(one.name)).toEqual([]);
    await one.follower.stop();
  });
});

describe('monitoring', () => {
  const ask = (target: string) => call(service.baseUrl, target, { token });
  const health = async () => {
    const { status, body } = await ask('GET /health');
    expect(status).toBe(200);
    return body.status;
  };
  const figuresOf = async (name: string) =>
    (await ask('GET /telemetry')).body.followers.find((follower: { name: string }) => follower.name === name);

  it('telemetry, metrics and health report a follower that is minutes behind', async () => {
    await expect.poll(health, POLL_OPTIONS).toBe('healthy');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = Promise.withResolvers<void>();
    const hold = inTransaction(service.sql, async (tx) => {
      const group = tx.layout.groupOf(organizationId);
      await tx`select 1 from event_followers where tenant_group = ${group} and name = 'sales' for update`;
      holding.resolve();
      await held;
    });
    await holding.promise;
    await writeChanges(service.sql, organizationId, [{}, {}]);
    await expect.poll(async () => (await figuresOf('sales')).events_behind, POLL_OPTIONS).toBe(2);
    expect(await health()).toBe('healthy');
    clock.advanceMs(180_000);
    expect(await figuresOf('sales')).toEqual({
      name: 'sales',
      events_behind: 2,
      seconds_behind: 180,
      dead_lettered: 0,
      dead_lettered_last_day: 0,
    });
    const metrics = (await call(service.baseUrl, 'GET //metrics', { token: METRICS_TOKEN })).text;
    expect(metrics).toContain('dukkan_follower{follower="sales",measure="events_behind"} 2');
    expect(metrics).toContain('dukkan_follower{follower="sales",measure="seconds_behind"} 180');
    expect(metrics).toContain('dukkan_follower{follower="publisher",measure="events_behind"} 0');
    await expect.poll(health, POLL_OPTIONS).toBe('degraded');
    release();
    await hold;
    await expect.poll(health, POLL_OPTIONS).toBe('healthy');
  });

  it('health is degraded for a day after events were dead-lettered', async () => {
    await service.sql`
      insert into dead_letter_events (follower, position, organization_id, event_id, error, dead_lettered_at)
      values ('sales', 1, ${organizationId}, 'evt_1_1', 'no', ${clock.now()})`;
    await expect.poll(health, POLL_OPTIONS).toBe('degraded');
    expect(await figuresOf('sales')).toMatchObject({ dead_lettered: 1, dead_lettered_last_day: 1 });
    clock.advanceMs(25 * 3_600_000);
    await expect.poll(health, POLL_OPTIONS).toBe('healthy');
    expect(await figuresOf('sales')).toMatchObject({ dead_lettered: 1, dead_lettered_last_day: 0 });
  });
});
