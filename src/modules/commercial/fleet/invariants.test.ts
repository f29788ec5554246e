import fc from 'fast-check';
import { expect, test } from 'vitest';
import { call, commercialAccount, type ReplyBody, testAccount, testService } from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids.ts';
import { salesCaughtUp } from '../../sales/testing/caught-up.ts';
import { billingDay, foldBillingSums } from '../billing/index.ts';
import { foldCounts, refundTenant } from './index.ts';
import { bill, type FleetShop, openShop } from './testing/fleet.ts';
import { recountFleet, recountOverview } from './testing/recount-fleet.ts';

const clock = movableClock(new Date('2026-01-12T20:30:00Z'));
const service = await testService({}, { clock });
const { sql } = service;
const fleet = { sql, clock };

const shop = fc.nat(4);
const amount = fc.integer({ min: 1, max: 90_000 }).map((halalas) => halalas / 100);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pay' as const), shop, amount }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('credit' as const), shop, amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), shop, amount }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('branch' as const), shop }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close branch' as const), shop }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('order' as const), shop, amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), shop }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('join' as const), shop }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('suspend' as const), shop }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resume' as const), shop }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 25 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const STEPS = 200;
const CHECKED_EVERY = 50;

/** Steps that the state of things forbids (a wallet that holds too little, a shop that is suspended) are refused. */
const REFUSED = new Set([402, 404, 409]);

test('every figure equals the sum of its rows after a random history', async () => {
  const { token } = await commercialAccount(sql);
  const shops: FleetShop[] = [];
  for (let number = 0; number < 5; number += 1) shops.push(await openShop(fleet, `Shop ${number}`, 'متجر', number));
  const orders = new Map<string, string[]>();

  async function asked(target: string, body: unknown, as = token): Promise<ReplyBody> {
    const reply = await call(service.baseUrl, target, { token: as, body });
    if (reply.status >= 300 && !REFUSED.has(reply.status)) throw new Error(`${target}: ${reply.status} ${reply.text}`);
    return reply.body;
  }

  async function take(one: Step): Promise<void> {
    if (one.do === 'wait') {
      await bill(fleet, new Date(clock.now().getTime() + one.days * 86_400_000).toISOString());
      return;
    }
    if (one.do === 'fold') {
      await foldBillingSums({ sql });
      await foldCounts({ sql }, new AbortController().signal);
      return;
    }
    const { id, token: owner } = shops[one.shop] as FleetShop;
    const placed = orders.get(id) ?? [];
    switch (one.do) {
      case 'pay': {
        const body = { organization_id: id, amount_sar: one.amount, method: 'online', reference: 'R' };
        return asked('POST /commercial/payments', body);
      }
      case 'credit': {
        const query = `organization_id=${id}&amount_sar=${one.amount}`;
        const shown = await asked(`GET /commercial/tenant-credit/preview?${query}`, undefined);
        const body = { organization_id: id, amount_sar: one.amount, note: 'N' };
        expect(await asked('POST /commercial/tenant-credit', body)).toEqual(shown);
        return;
      }
      case 'refund': {
        const actor = { kind: 'cli', id: 'cli', name: 'cli', ip: '', requestId: '' } as const;
        const refund = { organizationId: id, amountSar: one.amount.toFixed(2), note: 'N' };
        const done = inTransaction(sql, (tx) => refundTenant(tx, actor, refund, clock.now()));
        await done.catch((error) => expect(error).toMatchObject({ status: 409 }));
        return;
      }
      case 'branch':
        return asked('POST /branches', { iv_id: newId() }, owner);
      case 'close branch': {
        const [branch] = (await asked('GET /branches?limit=1', undefined, owner))?.data ?? [];
        if (branch !== undefined) await asked(`DELETE /branches/${branch.iv_id}?force=true`, undefined, owner);
        return;
      }
      case 'order': {
        const body = {
          order_status: 'RECEIVED',
          fulfillment_status: 'None',
          skus: ['S'],
          products: [{ product_id: 'P', sku_id: 'S' }],
          total_amount: one.amount,
        };
        const { data } = await asked('POST /orders', body, owner);
        if (data !== undefined) orders.set(id, [...placed, data.id]);
        return;
      }
      case 'cancel': {
        const [first] = placed;
        if (first === undefined) return;
        orders.set(id, placed.slice(1));
        return asked(`PATCH /orders/${first}/status`, { order_status: 'CANCELLED' }, owner);
      }
      case 'join':
        await testAccount(sql, id, 'viewer');
        return;
      default:
        return asked(`POST /commercial/organizations/${id}/${one.do}`, { reason: 'R' });
    }
  }

  async function compare(): Promise<void> {
    await salesCaughtUp(sql);
    const overview = await asked('GET /commercial/accounting-overview', undefined);
    const { timestamp, recent_branch_fees, ...figures } = overview;
    expect(figures).toEqual(await recountOverview(sql, billingDay(clock.now())));
    expect(overview.reconciliation.variance_sar).toBe(0);
    const { receivables, totals } = overview;
    const buckets =
      receivables.current_sar +
      receivables.days_1_to_30_sar +
      receivables.days_31_to_60_sar +
      receivables.days_61_plus_sar;
    expect(buckets).toBeCloseTo(totals.outstanding_branch_fees_sar, 5);
    const newest = await sql<{ id: string }[]>`select id from branch_fees order by created desc, id desc limit 20`;
    expect(recent_branch_fees.map((fee: ReplyBody) => fee.id)).toEqual(newest.map(({ id }) => id));

    const shown = await asked('GET /commercial/fleet-metrics', undefined);
    const rows = await recountFleet(sql);
    expect(shown.organizations).toEqual(rows);
    const total = (field: 'branch_count' | 'user_count' | 'order_count' | 'order_value' | 'collected_sar') =>
      Number(rows.reduce((sum, row) => sum + row[field], 0).toFixed(2));
    expect(shown).toMatchObject({
      total_organizations: rows.length,
      active_organizations: rows.filter((row) => row.is_active).length,
      inactive_organizations: rows.filter((row) => !row.is_active).length,
      total_branches: total('branch_count'),
      total_users: total('user_count'),
      total_orders: total('order_count'),
      total_order_value: total('order_value'),
      total_collected_sar: total('collected_sar'),
      collected_last_30d_sar: totals.cash_collected_30d_sar,
    });
    expect(shown.total_collected_sar).toBe(totals.cash_collected_sar);
  }

  const seed = Number(process.env.TEST_SEED ?? 20_261_115);
  for (const [index, one] of fc.sample(step, { numRuns: STEPS, seed }).entries()) {
    await take(one);
    if ((index + 1) % CHECKED_EVERY === 0) await compare();
  }
  // It was a history worth checking.
  const { length } = await sql`select distinct entry_type from ledger_entries`;
  expect(length).toBeGreaterThanOrEqual(4);
  expect((await recountOverview(sql, billingDay(clock.now()))).receivables.overdue_rows).toBeGreaterThan(0);
});
