import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { amount, testDatabase } from '../../../../../test/harness/index.ts';
import { movableClock } from '../../../../platform/clock.ts';
import { inTransaction, type Sql } from '../../../../platform/database/index.ts';
import { newId } from '../../../../platform/ids.ts';
import { addDays } from '../../../../platform/local-day.ts';
import { SYSTEM_ACTOR } from '../../../audit/index.ts';
import { addMonths, type ChargeableAssignment, readFleetSums, startOfBillingDay } from '../../billing/index.ts';
import { findBrokenAccounts, recountFleet } from '../../billing/testing/recount.ts';
import { receivePayment } from '../receive-payment.ts';
import { runBilling } from './index.ts';

/** At least 20: five ways of paying by four plans. */
const ORGANIZATIONS = amount({ usual: 20, long: 50 });
/** Every way of paying, every plan and number of branches, with services and without. */
const COMPARED = 5;
const FIRST_DAY = '2025-02-01';
const MONTHS = 18;
const LAST_DAY = addDays(addMonths(FIRST_DAY, MONTHS), -1);
const PLANS = ['starter', 'standard', 'growth', 'enterprise'];

/** Which days a run falls on; more often than once a day changes nothing that another day would not. */
type Cadence = { runsOn(day: number): boolean; times?: number; atOnce?: boolean };
const CADENCES: Record<string, Cadence> = {
  'every ten days': { runsOn: (day) => day % 10 === 3 },
  'three months late': { runsOn: (day) => day % 92 === 91 },
  'twice in a row': { runsOn: (day) => day % 30 === 0, times: 2 },
  'from two nodes at once': { runsOn: (day) => day % 30 === 1, atOnce: true },
};

type Named = { name_en: string; kind?: string };
type Outcome = { fees: Named[]; ledger: Named[]; suspended: string[]; stillSuspended: string[] };

let daily: Outcome;
beforeAll(async () => {
  daily = await live({ runsOn: () => true }, ORGANIZATIONS);
});

describe('eighteen months of many organizations', () => {
  it('charge every branch once for every month in which it existed', () => {
    const expected = Array.from({ length: ORGANIZATIONS }, (_, index) => branchMonths(index)).reduce(sum);
    expect(daily.fees.filter(({ kind }) => kind === 'branch')).toHaveLength(expected);
    expect(daily.fees.length).toBeGreaterThan(expected);
    // Organizations that never paid, and none that had.
    expect(daily.suspended).toHaveLength(ORGANIZATIONS / 5);
    expect(daily.stillSuspended).toEqual([]);
  });

  it.each(Object.entries(CADENCES))('give the same result when run %s', async (_name, cadence) => {
    const some = await live(cadence, COMPARED);
    expect(some.ledger.length).toBeGreaterThan(COMPARED);
    expect(some).toEqual(only(daily));
  });
});

/** Organizations do not touch each other, so the first of them come out the same without the rest. */
function only({ fees, ledger, suspended, stillSuspended }: Outcome): Outcome {
  const names = new Set(Array.from({ length: COMPARED }, (_, index) => `Shop ${index + 1}`));
  const isCompared = ({ name_en }: Named) => names.has(name_en);
  return {
    fees: fees.filter(isCompared),
    ledger: ledger.filter(isCompared),
    suspended: suspended.filter((name) => names.has(name)),
    stillSuspended,
  };
}

const sum = (one: number, other: number) => one + other;

/** Branches of the n-th: one to four, from before all this, the last of them from the sixth month on, and one that is off. */
function branchMonths(index: number): number {
  const count = 1 + (index % 4);
  return (count - 1) * MONTHS + (MONTHS - 6);
}

async function live({ runsOn, times = 1, atOnce = false }: Cadence, organizations: number): Promise<Outcome> {
  const { sql } = await testDatabase();
  const clock = movableClock(startOfBillingDay(FIRST_DAY));
  const ids = await openShops(sql, organizations);
  const assignments = new Map(ids.map((id, index) => [id, assignmentsOf(index)]));
  const platform = { sql, clock, log: pino({ level: 'silent' }) };
  const run = () =>
    runBilling(platform, { listChargeableAssignments: async (_tx, id) => assignments.get(id) ?? [] }).then((outcome) =>
      expect(outcome.failed).toBe(0),
    );
  const pay = (organizationId: string, amountSar: string) =>
    inTransaction(sql, (tx) =>
      receivePayment(
        tx,
        SYSTEM_ACTOR,
        { organizationId, amountSar, method: 'bank_transfer', reference: '' },
        clock.now(),
      ),
    );

  for (const [index, id] of ids.entries()) if (index % 5 > 1) await pay(id, '100000.00');
  const days = Math.round((Date.parse(LAST_DAY) - Date.parse(FIRST_DAY)) / 86_400_000);
  for (let day = 0; day <= days; day += 1) {
    clock.moveTo(new Date(startOfBillingDay(addDays(FIRST_DAY, day)).getTime() + 3_600_000));
    if (runsOn(day) && atOnce) await Promise.all([run(), run()]);
    else if (runsOn(day)) for (let time = 0; time < times; time += 1) await run();
    // Some pay every quarter, and more than they owe; some never.
    if (day % 91 === 45) for (const id of ids.filter((_, index) => index % 5 === 1)) await pay(id, '3519.00');
  }
  await run();
  const suspended = await listSuspended(sql);
  for (const [index, id] of ids.entries()) if (index % 5 < 2) await pay(id, '200000.00');
  const stillSuspended = await listSuspended(sql);

  const today = addDays(LAST_DAY, 1);
  expect(await findBrokenAccounts(sql)).toEqual([]);
  expect(await readFleetSums(sql, today)).toEqual(await recountFleet(sql, today));
  const fees = await sql<Named[]>`
    select o.name_en, kind, branch_iv_id, service_code, period::text, amount_sar::text, vat_sar::text, due_date::text, status
    from branch_fees f join organizations o on o.id = f.organization_id
    order by o.name_en, kind, branch_iv_id, service_code, period`;
  const ledger = await sql<Named[]>`
    select o.name_en, entry_type, direction, sum(total_sar)::text as total, sum(vat_sar)::text as vat, a.balance_sar::text
    from ledger_entries l join organizations o on o.id = l.organization_id
    join billing_accounts a on a.organization_id = o.id
    group by o.name_en, entry_type, direction, a.balance_sar order by o.name_en, entry_type, direction`;
  return { fees: [...fees], ledger: [...ledger], suspended, stillSuspended };
}

/** They signed up in the month before the first that is charged. */
async function openShops(sql: Sql, organizations: number): Promise<string[]> {
  const ids = Array.from({ length: organizations }, newId);
  const long = startOfBillingDay('2024-06-15');
  const later = startOfBillingDay(addDays(addMonths(FIRST_DAY, 5), 9));
  await sql`
    insert into organizations (id, name_en, name_ar, plan, created, updated)
    select id, 'Shop ' || number, '', (${PLANS}::text[])[1 + number % 4], ${startOfBillingDay('2025-01-10')}, now()
    from unnest(${ids}::uuid[]) with ordinality as o (id, number)`;
  await sql`
    insert into branches (organization_id, id, iv_id, active, created, updated)
    select o.id, gen_random_uuid(), 'B-' || b, b > 0, case when b = 1 + (number - 1) % 4 then ${later} else ${long} end, now()
    from unnest(${ids}::uuid[]) with ordinality as o (id, number), generate_series(0, 1 + (number::int - 1) % 4) b`;
  return ids;
}

function assignmentsOf(index: number): ChargeableAssignment[] {
  if (index % 3 !== 0) return [];
  const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  const made = (number: number, billingCycle: ChargeableAssignment['billingCycle'], startsAt: string) => ({
    organizationAppId: id(number),
    serviceId: id(number + 100),
    serviceCode: `S-${number}`,
    priceSar: '99.95',
    vatPercent: '15',
    quantity: number,
    billingCycle,
    startsAt: startOfBillingDay(startsAt),
    created: startOfBillingDay('2025-01-10'),
  });
  return [made(1, 'monthly', '2025-04-10'), made(2, 'yearly', '2025-03-01'), made(3, 'once', '2025-05-20')];
}

async function listSuspended(sql: Sql): Promise<string[]> {
  const rows = await sql<Named[]>`
    select name_en from organizations where suspended_by = 'billing' and suspended_at is not null order by name_en`;
  return rows.map(({ name_en }) => name_en);
}
