import { describe, expect, it } from 'vitest';
import { databaseBefore } from '../../../../test/harness/database-before.ts';
import { testDatabase } from '../../../../test/harness/index.ts';
import { inTransaction, migrate, type Tx } from '../../../platform/database/index.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { MIGRATIONS_FOLDER } from '../../../server.ts';
import {
  adjust,
  applyCredit,
  billingDay,
  chargeMonths,
  foldBillingSums,
  isLongOverdue,
  listAdjustments,
  listDueForBilling,
  listFees,
  listLedger,
  listNewestFees,
  listPayments,
  lockAccount,
  type Money,
  previewCredit,
  readAccountsOfAll,
  readFleetSums,
  refund,
  type Settlement,
} from './index.ts';
import { openBooks } from './testing/books.ts';
import { at, charge, pay, SIGNED_UP } from './testing/moves.ts';
import { findBrokenAccounts, recountFleet } from './testing/recount.ts';

const { sql } = await testDatabase();
const everything = { page: 1, limit: 100 };

const credit = (organizationId: string, amountSar: Money, day: string) =>
  inTransaction(sql, (tx) =>
    applyCredit(tx, { organizationId, amountSar, note: 'gift', createdBy: 'op', now: at(day) }),
  );
const balanceOf = async (id: string) => (await inTransaction(sql, (tx) => lockAccount(tx, id)))?.balanceSar;
const applied = (settlement: Settlement) =>
  settlement.applications.map(({ branchIvId, dueDate, appliedSar }) => [branchIvId, dueDate, appliedSar]);

describe('months', () => {
  it('are charged once, with VAT, and paid by a wallet that covers them', async () => {
    const id = await openBooks(sql, SIGNED_UP);
    await pay(sql, id, '600.00', '2026-01-12');
    // February: both of 287.50. March: one.
    expect(await charge(sql, id, 2, '2026-02-01')).toMatchObject({ charged: 2, settled: 2 });
    expect(await charge(sql, id, 2, '2026-02-02')).toMatchObject({ charged: 0, settled: 0 });
    expect(await charge(sql, id, 2, '2026-03-01')).toMatchObject({ charged: 2, settled: 0 });
    expect(await balanceOf(id)).toBe('25.00');
    const { rows, total } = await listFees(sql, id, everything, '2026-03-16');
    expect(total).toBe(4);
    expect(rows.map((fee) => [fee.period, fee.total_sar, fee.outstanding_sar, fee.status, fee.due_date])).toEqual([
      ['2026-03-01', '287.50', '287.50', 'overdue', '2026-03-15'],
      ['2026-03-01', '287.50', '287.50', 'overdue', '2026-03-15'],
      ['2026-02-01', '287.50', '0.00', 'paid', '2026-02-15'],
      ['2026-02-01', '287.50', '0.00', 'paid', '2026-02-15'],
    ]);
    const ledger = await listLedger(sql, id, everything);
    expect(ledger.total).toBe(3);
    expect(
      ledger.rows.map((row) => [row.entry_type, row.direction, row.amount_sar, row.vat_sar, row.reference]),
    ).toEqual([
      ['branch_fee', 'debit', '250.00', '37.50', 'B-2 2026-02'],
      ['branch_fee', 'debit', '250.00', '37.50', 'B-1 2026-02'],
      ['topup', 'credit', '600.00', '0.00', 'TRF-1'],
    ]);
    expect(await isLongOverdue(sql, id, '2026-04-14')).toBe(false);
    expect(await isLongOverdue(sql, id, '2026-04-15')).toBe(true);
  });

  it('cost the standard price for a plan without a price, and the price of the plan otherwise', async () => {
    const [odd, starter] = [await openBooks(sql, SIGNED_UP, 'odd'), await openBooks(sql, SIGNED_UP, 'starter')];
    await charge(sql, odd, 1, '2026-02-01', 'odd');
    await charge(sql, starter, 1, '2026-02-01', 'starter');
    const totals = [odd, starter].map(
      async (id) => (await listFees(sql, id, everything, '2026-02-01')).rows[0]?.total_sar,
    );
    expect(await Promise.all(totals)).toEqual(['287.50', '172.50']);
  });

  it('are charged in several transactions when many are missing, services by their cycle', async () => {
    const id = await openBooks(sql, new Date('2024-01-10T00:00:00Z'));
    const install = newId();
    const begun = new Date('2024-01-10T00:00:00Z');
    const service = { serviceId: newId(), vatPercent: '15', quantity: 2, startsAt: begun, created: begun };
    const charge = (tx: Tx) =>
      chargeMonths(tx, {
        organization: { id, plan: 'standard' },
        branches: [],
        assignments: [
          { ...service, organizationAppId: install, serviceCode: 'MENU', priceSar: '10.05', billingCycle: 'yearly' },
        ],
        now: at('2026-02-03'),
      });
    expect(await inTransaction(sql, charge)).toMatchObject({ charged: 1, isCurrent: false });
    expect(await inTransaction(sql, charge)).toMatchObject({ charged: 1, isCurrent: false });
    expect(await inTransaction(sql, charge)).toMatchObject({ charged: 1, isCurrent: true });
    const { rows } = await listFees(sql, id, everything, '2026-02-03');
    expect(rows.map((fee) => [fee.period, fee.kind, fee.service_code, fee.amount_sar, fee.vat_sar])).toEqual([
      ['2026-02-01', 'service', 'MENU', '20.10', '3.02'],
      ['2025-02-01', 'service', 'MENU', '20.10', '3.02'],
      ['2024-02-01', 'service', 'MENU', '20.10', '3.02'],
    ]);
  });
});

describe('money that comes in', () => {
  it('pays the oldest fees first, the last in part, and the rest stays in the wallet', async () => {
    const id = await openBooks(sql, SIGNED_UP);
    await charge(sql, id, 1, '2026-04-02');
    const first = await pay(sql, id, '300.01', '2026-04-03');
    expect(first.settlement).toMatchObject({
      outstandingSar: '862.50',
      toWalletSar: '0.00',
      walletBalanceAfterSar: '0.00',
    });
    expect(applied(first.settlement)).toEqual([
      ['B-1', '2026-02-15', '287.50'],
      ['B-1', '2026-03-15', '12.51'],
    ]);
    const second = await pay(sql, id, '1000.00', '2026-04-04');
    expect(applied(second.settlement)).toEqual([
      ['B-1', '2026-03-15', '274.99'],
      ['B-1', '2026-04-15', '287.50'],
    ]);
    expect(second.settlement).toMatchObject({ toWalletSar: '437.51', walletBalanceAfterSar: '437.51' });
    expect(await findBrokenAccounts(sql)).toEqual([]);
  });

  it('as a payment is topped up from the wallet when both together cover a fee', async () => {
    const id = await openBooks(sql, SIGNED_UP);
    await pay(sql, id, '100.00', '2026-01-12');
    await charge(sql, id, 1, '2026-02-02');
    const { settlement } = await pay(sql, id, '187.50', '2026-02-03');
    expect(applied(settlement)).toEqual([['B-1', '2026-02-15', '287.50']]);
    expect(settlement).toMatchObject({ toWalletSar: '0.00', walletBalanceAfterSar: '0.00' });
    expect(await findBrokenAccounts(sql)).toEqual([]);
  });

  it('as a credit does what the preview showed, and does not use the earlier balance', async () => {
    const id = await openBooks(sql, SIGNED_UP);
    await pay(sql, id, '100.00', '2026-01-12');
    await charge(sql, id, 1, '2026-03-02');
    for (const amount of ['0.01', '187.49', '100.33', '900.00']) {
      const preview = await previewCredit(sql, id, amount);
      expect(await credit(id, amount, '2026-03-03')).toEqual(preview);
      expect(await balanceOf(id)).toBe(preview.walletBalanceAfterSar);
    }
    expect(await balanceOf(id)).toBe('712.83');
    expect(await previewCredit(sql, id, '5.00')).toEqual({
      outstandingSar: '0.00',
      applications: [],
      toWalletSar: '5.00',
      walletBalanceAfterSar: '717.83',
    });
    expect(await findBrokenAccounts(sql)).toEqual([]);
  });

  it('returns 404 for an unknown organization', async () => {
    const unknown = newId();
    const missing = { status: 404, message: 'Organization not found' };
    await expect(previewCredit(sql, unknown, '1.00')).rejects.toMatchObject(missing);
    await expect(credit(unknown, '1.00', '2026-03-03')).rejects.toMatchObject(missing);
    await expect(pay(sql, unknown, '1.00', '2026-03-03')).rejects.toMatchObject(missing);
  });
});

describe('money that goes out', () => {
  it('is never more than the wallet holds', async () => {
    const id = await openBooks(sql, SIGNED_UP);
    await pay(sql, id, '100.00', '2026-01-12');
    const move = { organizationId: id, note: 'why', createdBy: 'op', now: at('2026-01-13') };
    const back = (amountSar: Money) => inTransaction(sql, (tx) => refund(tx, { ...move, amountSar, reference: '' }));
    await expect(back('100.01')).rejects.toMatchObject({
      status: 409,
      details: { balance_sar: 100, amount_sar: 100.01 },
    });
    await back('40.00');
    const fix = (direction: 'credit' | 'debit', amountSar: Money) =>
      inTransaction(sql, (tx) => adjust(tx, { ...move, direction, amountSar }));
    await expect(fix('debit', '60.01')).rejects.toBeInstanceOf(Problem);
    await fix('credit', '0.01');
    await fix('debit', '60.01');
    expect(await balanceOf(id)).toBe('0.00');
    const { rows } = await listAdjustments(sql, everything);
    const own = rows.filter((row) => row.organization_id === id);
    expect(own.map((row) => [row.entry_type, row.direction, row.total_sar, row.organization_name_en])).toEqual([
      ['adjustment', 'debit', '60.01', 'Shop'],
      ['adjustment', 'credit', '0.01', 'Shop'],
      ['refund', 'debit', '40.00', 'Shop'],
    ]);
  });
});

describe('the database', () => {
  const entry = (id: string, type: string, direction: string, amount: number) => sql`
    insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, created)
    values (${id}, ${newId()}, ${type}, ${direction}, ${amount}, now())`;

  it('rejects updates and deletes of ledger entries and payments', async () => {
    const id = await openBooks(sql, SIGNED_UP);
    await pay(sql, id, '100.00', '2026-01-12');
    await charge(sql, id, 1, '2026-02-02');
    for (const table of ['ledger_entries', 'billing_payments']) {
      await expect(sql`update ${sql(table)} set reference = 'x'`).rejects.toThrow('the ledger is append-only');
      await expect(sql`delete from ${sql(table)}`).rejects.toThrow('the ledger is append-only');
      await expect(sql`truncate ${sql(table)} cascade`).rejects.toThrow('the ledger is append-only');
    }
    await expect(sql`delete from branch_fees`).rejects.toThrow('a fee is voided, never removed');
    await expect(sql`truncate branch_fees cascade`).rejects.toThrow(/append-only|never removed/);
  });

  it('rejects invalid entries', async () => {
    const id = await openBooks(sql, SIGNED_UP);
    await expect(entry(id, 'refund', 'debit', 1)).rejects.toMatchObject({ constraint: 'wallet_not_overdrawn' });
    await expect(entry(id, 'topup', 'credit', 0.001)).rejects.toMatchObject({ constraint: 'ledger_halalas' });
    await expect(entry(id, 'topup', 'debit', 1)).rejects.toMatchObject({ constraint: 'ledger_direction' });
    await charge(sql, id, 1, '2026-02-02');
    const overpaid = sql`update branch_fees set paid_sar = 300 where organization_id = ${id}`;
    await expect(overpaid).rejects.toMatchObject({ constraint: 'fee_not_overpaid' });
    const unpaid = sql`update branch_fees set status = 'paid' where organization_id = ${id}`;
    await expect(unpaid).rejects.toMatchObject({ constraint: 'fee_paid_in_full' });
    const { payment } = await pay(sql, id, '1.00', '2026-02-03');
    const twice = sql`
      insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, payment_id, created)
      values (${id}, ${newId()}, 'topup', 'credit', 1, ${payment.id}, now())`;
    await expect(twice).rejects.toMatchObject({ constraint: 'ledger_topup_of_a_payment' });
  });

  it('keeps balances and sums with statements of many rows and organizations', async () => {
    const ids = [await openBooks(sql, SIGNED_UP), await openBooks(sql, SIGNED_UP)];
    await sql`
      insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, created)
      select o, gen_random_uuid(), t, case t when 'topup' then 'credit' else 'debit' end, case t when 'topup' then 9 else 4 end, now()
      from unnest(${ids}::uuid[]) o, unnest(array['refund', 'topup', 'adjustment']) t`;
    await sql`
      insert into branch_fees (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, status, due_date, created)
      select o, gen_random_uuid(), b::text, '2026-02-01', 10, 1.5, 'pending', '2026-02-15', now()
      from unnest(${ids}::uuid[]) o, generate_series(1, 3) b`;
    // Amount and VAT change places under one total; then one is voided.
    await sql`update branch_fees set amount_sar = 11, vat_sar = 0.5 where organization_id = any(${ids}::uuid[])`;
    await sql`
      update branch_fees set status = 'void' where organization_id = any(${ids}::uuid[]) and branch_iv_id = '1'`;
    expect(await Promise.all(ids.map(balanceOf))).toEqual(['1.00', '1.00']);
    const today = '2026-03-01';
    const before = await readFleetSums(sql, today);
    // These top-ups came without payments, which is what reconciliation is there to show.
    expect(before.reconciliation.varianceSar).toBe('-18.00');
    expect(before).toEqual(await recountFleet(sql, today));
    await foldBillingSums({ sql });
    expect(await readFleetSums(sql, today)).toEqual(before);
    const [left] = await sql<{ changes: number; vat: string; amount: string }[]>`
      select (select count(*) from billing_sum_changes) as changes, sum(s.vat_sar)::text as vat,
             (select sum(vat_sar)::text from branch_fees) as amount from billing_sums s where measure = 'fees'`;
    expect([left?.changes, Number(left?.vat)]).toEqual([0, Number(left?.amount)]);
    expect(await findBrokenAccounts(sql)).toEqual([]);
  });
});

describe('lists', () => {
  it('have exact totals and the organization of each row', async () => {
    const id = await openBooks(sql, SIGNED_UP);
    await pay(sql, id, '12.34', '2099-01-12');
    const payments = await listPayments(sql, { page: 1, limit: 1 });
    expect(payments.rows).toMatchObject([
      {
        organization_id: id,
        organization_name_en: 'Shop',
        total_sar: '12.34',
        method: 'bank_transfer',
        status: 'succeeded',
      },
    ]);
    const [raw] = await sql<{ payments: number; adjustments: number }[]>`
      select (select count(*) from billing_payments) as payments,
             (select count(*) from ledger_entries where entry_type in ('credit', 'refund', 'adjustment')) as adjustments`;
    expect(payments.total).toBe(raw?.payments);
    expect((await listAdjustments(sql, { page: 2, limit: 1 })).total).toBe(raw?.adjustments);
    const accounts = await readAccountsOfAll(sql);
    expect(accounts.find((account) => account.organization_id === id)).toEqual({
      organization_id: id,
      balance_sar: '12.34',
      collected_sar: '12.34',
    });
    expect((await listNewestFees(sql, 2, '2026-03-01')).map((fee) => fee.organization_name_en)).toEqual([
      'Shop',
      'Shop',
    ]);
  });
});

describe('an upgrade', () => {
  it('creates accounts, sums and payments from existing rows, and charges nothing for the past', async () => {
    const old = (await databaseBefore('0022')).sql;
    const [id, debtor] = [await openBooks(old, new Date('2025-01-01T00:00:00Z')), await openBooks(old, SIGNED_UP)];
    await old`update organizations set suspended_at = now() where id = ${debtor}`;
    const made = (organizationId: string, type: string, direction: string, amount: number, vat: number) => old`
      insert into ledger_entries (organization_id, id, entry_type, direction, amount_sar, vat_sar, created)
      values (${organizationId}, ${newId()}, ${type}, ${direction}, ${amount}, ${vat}, '2026-03-01T12:00:00Z')`;
    await made(id, 'topup', 'credit', 10_000, 0);
    await made(id, 'branch_fee', 'debit', 287.5, 37.5);
    await made(debtor, 'branch_fee', 'debit', 0.1 + 0.2, 0.5);
    const fee = (organizationId: string, amount: number, vat: number, paid: number, status: string) => old`
      insert into branch_fees (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, paid_sar, status, due_date, created)
      values (${organizationId}, ${newId()}, ${newId()}, '2026-03-01', ${amount}, ${vat}, ${paid}, ${status}, '2026-03-15', now())`;
    await fee(id, 250, 37.5, 287.5, 'paid');
    await fee(id, 250, 37.5, 287.5, 'pending');
    await fee(debtor, 200.1, 30.015, 50, 'overdue');
    await fee(debtor, 250, 37.5, 0, 'paid');

    await migrate(old, MIGRATIONS_FOLDER);

    const accounts = await old`
      select balance_sar::text, collected_sar::text, ledger_rows, fee_rows,
             charged_through = date_trunc('month', now() at time zone 'Asia/Riyadh')::date as current, suspended_by
      from billing_accounts a join organizations o on o.id = a.organization_id order by o.created`;
    expect(accounts).toMatchObject([
      { balance_sar: '9712.50', ledger_rows: 2, fee_rows: 2, current: true, suspended_by: '' },
      { balance_sar: '-0.30', ledger_rows: 1, fee_rows: 2, current: true, suspended_by: 'operator' },
    ]);
    expect(accounts.map((row) => Number(row.collected_sar))).toEqual([10_000, 0]);
    const sums = await readFleetSums(old, '2026-03-20');
    expect(sums).toEqual(await recountFleet(old, '2026-03-20'));
    expect(sums).toMatchObject({
      cashCollectedSar: '10000.00',
      recognizedVatSar: '37.80',
      outstandingSar: '180.12',
      reconciliation: { varianceSar: '0.00' },
    });
    // A wallet that was overdrawn before may come back to its feet, and goes no deeper.
    await pay(old, debtor, '180.42', '2026-03-21');
    const [after] = await old<{ balance: number }[]>`
      select balance_sar as balance from billing_accounts where organization_id = ${debtor}`;
    expect(after?.balance).toBe(0);
    expect(await listDueForBilling(old, { after: undefined, now: new Date(), limit: 10 })).toEqual([]);
    expect(billingDay(at('2026-03-21'))).toBe('2026-03-21');
  });
});
