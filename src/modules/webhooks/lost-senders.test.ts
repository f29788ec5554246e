import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/database/index.ts';
import { abandonedOutcome } from './judge-attempt.ts';
import { settleOutcomes } from './settle-outcomes.ts';
import type { Claim } from './sql/claims.ts';
import { deleteSubscription } from './sql/subscriptions.ts';
import { sweepDeliveries } from './sweep-deliveries.ts';
import { type DeliveryTables, ended, openDeliveryTables } from './testing/delivery-tables.ts';

let shop: DeliveryTables;

beforeAll(async () => {
  shop = await openDeliveryTables();
});

beforeEach(async () => {
  await shop.sql`truncate webhook_subscription_queues, webhook_queued_deliveries, webhook_leases, webhook_deliveries`;
});

describe('a lost sender', () => {
  it('is detected when its lease ends: the delivery is due again, logged as abandoned and not counted', async () => {
    const { organization, ids } = await shop.tenantWith(1);
    const [id = ''] = ids;
    await shop.deliveries(organization, id, 2);
    const claims = await shop.claim();
    const later = new Date(shop.now.getTime() + 30_001);
    expect(await shop.lost(shop.now)).toEqual([]);
    const lost = await shop.lost(later);
    expect(lost.map((claim) => claim.delivery_id).sort()).toEqual(claims.map((claim) => claim.delivery_id).sort());

    const settled = await settleOutcomes(
      shop.sql,
      lost.map((claim) => abandonedOutcome(claim, claim.claimed_at, later, 'lost')),
      later,
    );
    expect(settled.settled).toBe(2);
    const again = await shop.claim({ now: later });
    expect(again).toHaveLength(2);
    const rows = await shop.sql`select attempts, status, attempt_log from webhook_deliveries`;
    for (const row of rows) {
      expect(row).toMatchObject({
        attempts: 0,
        status: 'pending',
        attempt_log: [{ error: 'lost', status_code: null }],
      });
    }

    // The one that was thought lost speaks up: too late, another has the delivery.
    expect(
      await settleOutcomes(
        shop.sql,
        claims.map((claim) => ended(claim, later)),
        later,
      ),
    ).toMatchObject({
      settled: 0,
    });
    expect((await shop.queues(id))[0]).toMatchObject({ in_flight: 2 });
    await settleOutcomes(
      shop.sql,
      again.map((claim) => ended(claim, later)),
      later,
    );
    expect((await shop.queues(id))[0]).toMatchObject({ in_flight: 0, due_at: null });
    const [log] = await shop.sql`select count(*) as delivered from webhook_deliveries where status = 'delivered'`;
    expect(log).toEqual({ delivered: 2 });
  });

  it('is taken over by one process when several sweep', async () => {
    const { organization, ids } = await shop.tenantWith(1);
    await shop.deliveries(organization, ids[0] ?? '', 20);
    await shop.claim();
    const later = new Date(shop.now.getTime() + 60_000);
    const lost = await shop.lost(later);
    const settled = await Promise.all(
      [1, 2, 3].map(() =>
        settleOutcomes(
          shop.sql,
          lost.map((claim) => abandonedOutcome(claim, claim.claimed_at, later, 'lost')),
          later,
        ),
      ),
    );
    expect(settled.reduce((sum, each) => sum + each.settled, 0)).toBe(20);
    const [log] = await shop.sql`select sum(jsonb_array_length(attempt_log))::int as entries from webhook_deliveries`;
    expect(log).toEqual({ entries: 20 });
  });

  it('leaves no lease when its subscription was deleted meanwhile', async () => {
    const { organization, ids } = await shop.tenantWith(2);
    const [kept = '', deleted = ''] = ids;
    await shop.deliveries(organization, kept, 3);
    await shop.claim();
    await shop.deliveries(organization, deleted, 3);
    await shop.claim();
    await inTransaction(shop.sql, (tx) => deleteSubscription(tx, organization, deleted));
    const later = new Date(shop.now.getTime() + 60_000);
    const swept = [await sweepDeliveries(shop.sql, later), await sweepDeliveries(shop.sql, later)];
    expect(swept.map(({ takenOver, more }) => ({ takenOver, more }))).toEqual([
      { takenOver: 3, more: true },
      { takenOver: 0, more: true },
    ]);
    expect(await sweepDeliveries(shop.sql, later)).toEqual({ takenOver: 0, skipped: 0, more: false });
    expect(await shop.sql`select claim_id from webhook_leases`).toEqual([]);
  });
});

describe('a lease', () => {
  it('is deleted when it has ended and all its deliveries are settled', async () => {
    const { organization, ids } = await shop.tenantWith(1);
    await shop.deliveries(organization, ids[0] ?? '', 5);
    const claims = await shop.claim();
    const leases = () => shop.sql`select unsettled from webhook_leases`;
    const settle = (some: Claim[]) =>
      settleOutcomes(
        shop.sql,
        some.map((claim) => ended(claim, shop.now)),
        shop.now,
      );
    await settle(claims.slice(0, 2));
    expect(await leases()).toEqual([{ unsettled: 3 }]);
    await settle(claims);
    expect(await leases()).toEqual([{ unsettled: 0 }]);
    await sweepDeliveries(shop.sql, shop.now);
    expect(await leases()).toHaveLength(1);
    expect(await sweepDeliveries(shop.sql, new Date(shop.now.getTime() + 30_001))).toMatchObject({ takenOver: 0 });
    expect(await leases()).toEqual([]);
  });
});
