import { foldBillingSums } from '../../src/modules/commercial/billing/index.ts';
import { foldCounts } from '../../src/modules/commercial/fleet/index.ts';
import type { Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';

export const ORGANIZATIONS = 1_000;
export const BRANCHES_EACH = 20;
const MEMBERS_EACH = 3;
export const LEDGER_ROWS = Number(process.env.BENCH_LEDGER_ROWS ?? 1_000_000);
const MONTHS = 12;
/** Statements of a million rows would hold their whole transition table in memory. */
const ORGANIZATIONS_AT_ONCE = 100;

/** A fleet with a year behind it, by set-based statements; triggers keep balances and sums as they do for anybody. */
export async function fillFleet(sql: Sql, now: Date): Promise<void> {
  const ids = Array.from({ length: ORGANIZATIONS }, newId);
  const movesEach = LEDGER_ROWS / ORGANIZATIONS / 2;
  await sql`
    insert into organizations (id, name_en, name_ar, plan, created, updated)
    select id, 'Shop number ' || n, 'المتجر رقم ' || n, 'standard', ${now}, ${now}
    from unnest(${ids}::uuid[]) with ordinality as o (id, n)`;
  await sql`
    insert into branches (organization_id, id, iv_id, name_en, name_ar, created, updated)
    select id, gen_random_uuid(), 'BR-' || b, 'Branch ' || b, 'الفرع ' || b, ${now}, ${now}
    from unnest(${ids}::uuid[]) as o (id), generate_series(1, ${BRANCHES_EACH}) as b`;
  await sql`
    with people as (
      insert into users (id, email, password_hash, operator_type, created, updated)
      select gen_random_uuid(), id || '-' || m || '@bench.example', '', 'Merchant', ${now}, ${now}
      from unnest(${ids}::uuid[]) as o (id), generate_series(1, ${MEMBERS_EACH}) as m
      returning id, email
    )
    insert into memberships (organization_id, id, user_id, role, created)
    select left(email, 36)::uuid, gen_random_uuid(), id, 'member', ${now} from people`;
  await sql`
    insert into organization_sales (organization_id, currency, orders, sold, revenue, units, cancelled, refunded)
    select id, 'SAR', 1000 + n, 990, 64321.75 + n, 5000, 10, 0 from unnest(${ids}::uuid[]) with ordinality as o (id, n)`;
  for (let from = 0; from < ids.length; from += ORGANIZATIONS_AT_ONCE) {
    await fillMoney(sql, ids.slice(from, from + ORGANIZATIONS_AT_ONCE), movesEach, now);
  }
  await foldBillingSums({ sql });
  await foldCounts({ sql }, new AbortController().signal);
  for (const table of [
    'organizations',
    'branches',
    'memberships',
    'ledger_entries',
    'branch_fees',
    'billing_payments',
  ]) {
    await sql`vacuum analyze ${sql(table)}`;
  }
  for (const table of ['billing_sums', 'billing_sum_changes', 'billing_accounts', 'organization_counts']) {
    await sql`vacuum analyze ${sql(table)}`;
  }
  await sql`vacuum analyze organization_count_changes`;
  await sql`vacuum analyze organization_sales`;
}

/** Every payment with its top-up, and as many fees that were settled from them; the last month is open. */
async function fillMoney(sql: Sql, ids: string[], movesEach: number, now: Date): Promise<void> {
  await sql`
    with paid as (
      insert into billing_payments (organization_id, id, amount_sar, method, status, reference, created_by, created)
      select id, gen_random_uuid(), 287.50, 'bank_transfer', 'succeeded', 'bench', 'bench',
             ${now}::timestamptz - make_interval(hours => n * 17)
      from unnest(${ids}::uuid[]) as o (id), generate_series(1, ${movesEach}::int) as n
      returning organization_id, id, amount_sar, created
    )
    insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, vat_sar, reference, note, created_by,
                                payment_id, created)
    select organization_id, gen_random_uuid(), 'topup', 'credit', amount_sar, 0, 'bench', '', 'bench', id, created from paid`;
  await sql`
    insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, vat_sar, reference, note, created_by,
                                created)
    select id, gen_random_uuid(), 'branch_fee', 'debit', 250, 37.50, 'bench', '', 'bench',
           ${now}::timestamptz - make_interval(hours => n * 17)
    from unnest(${ids}::uuid[]) as o (id), generate_series(1, ${movesEach}::int) as n`;
  await sql`
    insert into branch_fees (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, paid_sar, status, due_date, created)
    select id, gen_random_uuid(), 'BR-' || b, month, 250, 37.50, case when m = 1 then 0 else 287.50 end,
           case when m = 1 then 'pending' else 'paid' end, month + 14, ${now}::timestamptz - make_interval(days => m * 30)
    from unnest(${ids}::uuid[]) as o (id), generate_series(1, ${BRANCHES_EACH}) as b, generate_series(1, ${MONTHS}) as m,
         lateral (select (date_trunc('month', ${now}::timestamptz) - make_interval(months => m))::date as month) as period`;
}
