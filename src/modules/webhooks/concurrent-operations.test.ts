import { beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../platform/clock.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/problem.ts';
import { SYSTEM_ACTOR } from '../audit/index.ts';
import { PRIORITY } from './delivery.ts';
import { changeSubscription, removeSubscription } from './manage-subscriptions.ts';
import { removeLeftovers } from './remove-logs.ts';
import { queueTest, replayDelivery } from './send-manually.ts';
import { settleIn, settleOutcomes } from './settle-outcomes.ts';
import { insertDeliveries, requeueMissed } from './sql/deliveries.ts';
import { findClosedSubscriptions, lockQueues, skipWaiting } from './sql/subscription-queues.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { type DeliveryTables, ended, newDelivery, openDeliveryTables, retryOf } from './testing/delivery-tables.ts';

const HANDS = 8;
const TURNS = 60;
/** Who comes when is left to chance, so a run goes on until enough has met. */
const LEAST_MADE = 500;
const LEAST_SETTLED = 100;
const MOST_TURNS = 600;

let shop: DeliveryTables;

beforeAll(async () => {
  shop = await openDeliveryTables();
});

/** Small and seeded: a run that fails can be run again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A deadlock is an error, and any error fails the test. */
describe('all operations at the same time', () => {
  it('fan-out, claims, outcomes, sweeps, pauses, replays, recoveries and deletions run without deadlock or miscount', async () => {
    const organization = await shop.organization();
    const clock = movableClock(shop.now);
    const subscriptions: string[] = [];
    for (let count = 0; count < 5; count += 1) subscriptions.push(await shop.subscription(organization));

    let made = 0;
    let settled = 0;

    async function act(random: (below: number) => number): Promise<void> {
      const id = subscriptions[random(subscriptions.length)] ?? '';
      const key = { organizationId: organization, id };
      clock.advanceMs(random(2000));
      const now = clock.now();
      switch (random(14)) {
        case 0:
        case 1:
        case 2: {
          // As a fan-out would: over several subscriptions, in no particular order.
          const chosen = [...subscriptions].sort(() => random(3) - 1);
          const fresh = chosen.flatMap((to) => [1, 2, 3].map(() => newDelivery(organization, to, now)));
          await inTransaction(shop.sql, (tx) => insertDeliveries(tx, fresh));
          made += fresh.length;
          return;
        }
        case 3:
        case 4:
        case 5:
        case 6: {
          const claims = await shop.claim({ now, leaseUntil: new Date(now.getTime() + 5000), maxItems: 10 });
          const kept = claims.filter(() => random(4) > 0);
          const outcomes = kept.map((claim) => {
            const kind = random(10);
            if (kind < 6) return ended(claim, now);
            if (kind < 9) return retryOf(claim, now, random(5000));
            const gone = retryOf(claim, now, 1000);
            return { ...gone, attempt: { ...gone.attempt, status_code: random(4) === 0 ? 410 : 500 } };
          });
          if (outcomes.length > 0) settled += (await settleOutcomes(shop.sql, outcomes, now)).settled;
          return;
        }
        case 11:
        case 12: {
          // As a fan-out that sends at once: some are delivered, some fail, some are logged first, some are lost.
          const chosen = [...subscriptions, ...subscriptions].sort(() => random(3) - 1);
          const claims = await shop.claimDirectly(organization, chosen, now, new Date(now.getTime() + 5000));
          made += claims.length;
          const kinds = claims.map((claim) => ({ claim, kind: random(5) }));
          const late = kinds.flatMap(({ claim, kind }) => (kind === 0 ? [{ claim, isWaiting: random(2) === 0 }] : []));
          const outcomes = kinds.flatMap(({ claim, kind }) => {
            if (kind === 1) return [retryOf(claim, now, random(5000))];
            return kind === 2 || kind === 3 ? [ended(claim, now)] : [];
          });
          settled += await inTransaction(shop.sql, async (tx) => {
            const { written, ...done } = await settleIn(tx, outcomes, now, late);
            await written;
            return done.settled;
          });
          return;
        }
        case 7: {
          await sweepDeliveries(shop.sql, now);
          return;
        }
        case 8: {
          const status = random(3) === 0 ? 'paused' : 'active';
          await inTransaction(shop.sql, (tx) => changeSubscription(tx, key, { status }, SYSTEM_ACTOR, now));
          return;
        }
        case 9: {
          const [row] = await shop.sql<{ id: string }[]>`
            select id from webhook_deliveries where organization_id = ${organization} and subscription_id = ${id}
            order by created desc offset ${random(20)} limit 1`;
          await inTransaction(shop.sql, (tx) =>
            row === undefined ? queueTest(tx, clock, key, 7) : replayDelivery(tx, clock, key, row.id, 7),
          );
          return;
        }
        case 10: {
          const missed = { organizationId: organization, subscriptionId: id, since: shop.now };
          await inTransaction(shop.sql, async (tx) => {
            await lockQueues(tx, [id]);
            await requeueMissed(tx, missed, { priority: PRIORITY.retry, retriesLeft: 7, now }, 10);
          });
          for (const closed of await findClosedSubscriptions(shop.sql, 5)) {
            await inTransaction(shop.sql, async (tx) => {
              await lockQueues(tx, [closed]);
              await skipWaiting(tx, closed, 10);
            });
          }
          return;
        }
        default: {
          if (random(4) > 0) return;
          const place = random(subscriptions.length);
          const fresh = await shop.subscription(organization);
          const old = subscriptions[place] ?? '';
          subscriptions[place] = fresh;
          await inTransaction(shop.sql, (tx) =>
            removeSubscription(tx, { organizationId: organization, id: old }, SYSTEM_ACTOR, now),
          );
        }
      }
    }

    await Promise.all(
      Array.from({ length: HANDS }, async (_, hand) => {
        const random = randomOf(hand + 1);
        for (let turn = 0; turn < TURNS || made < LEAST_MADE || settled < LEAST_SETTLED; turn += 1) {
          if (turn === MOST_TURNS) throw new Error(`only ${made} made and ${settled} settled`);
          // What was meant may have been deleted meanwhile; that is a refusal, not a fault.
          await act(random).catch((error: unknown) => {
            if (!(error instanceof Problem) || error.status !== 404) throw error;
          });
        }
      }),
    );

    // What deleted subscriptions leave behind goes in the background.
    while (await removeLeftovers(shop.sql)) {}
    const [faults] = await shop.sql`
      select
        (select count(*) from webhook_subscription_queues l where l.in_flight <> (
           select count(*) from webhook_queued_deliveries q
           where q.subscription_id = l.subscription_id and q.priority = l.priority and q.claim_id is not null)) as miscounted,
        (select count(*) from webhook_queued_deliveries q left join webhook_subscription_queues l using (subscription_id, priority)
         where q.claim_id is null and (l.due_at is null or l.due_at > q.due_at)) as overlooked,
        (select count(*) from webhook_queued_deliveries q left join webhook_leases l on l.claim_id = q.claim_id
         where q.claim_id is not null and (l.claim_id is null or q.delivery_id <> all(l.delivery_ids))) as unleased,
        (select count(*) from webhook_leases l where l.unsettled < (
           select count(*) from webhook_queued_deliveries q where q.claim_id = l.claim_id)) as undercounted,
        (select count(*) from webhook_direct_claims c where c.unlogged < (
           select count(*) from unnest(c.delivery_ids, c.subscription_ids) as i (id, subscription_id)
           join webhook_subscriptions s on s.id = i.subscription_id
           where not exists (select from webhook_deliveries d where d.id = i.id))) as given_up,
        (select count(*) from webhook_queued_deliveries q left join webhook_deliveries d on d.id = q.delivery_id
         where d.status is distinct from 'pending') as unlogged,
        (select count(*) from webhook_deliveries d left join webhook_queued_deliveries q on q.delivery_id = d.id
         where d.status = 'pending' and q.delivery_id is null) as forgotten,
        (select count(*) from webhook_deliveries d left join webhook_subscriptions s on s.id = d.subscription_id
         where s.id is null) as orphaned`;
    expect(faults).toEqual({
      miscounted: 0,
      overlooked: 0,
      unleased: 0,
      undercounted: 0,
      given_up: 0,
      unlogged: 0,
      forgotten: 0,
      orphaned: 0,
    });
  });
});
