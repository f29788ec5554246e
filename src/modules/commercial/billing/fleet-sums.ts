import type { Queryable, Sql } from '../../../platform/database/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { addDays } from '../../../platform/local-day.ts';
import { fromHalalas, type Halalas, type Money, sumHalalas, toHalalas } from './money.ts';
import type { Direction, EntryType } from './sql/ledger.ts';
import type { FeeStatus } from './sql/lists.ts';
import { foldChanges, readSumRows, type SumRow, tryToFold } from './sql/sums.ts';

const COLLECTED_DAYS = 30;
const FOLD_BATCH = 10_000;

/** The figures of the whole fleet; README.md says what each of them is. */
export type FleetSums = {
  cashCollectedSar: Money;
  cashCollected30dSar: Money;
  walletBalanceSar: Money;
  outstandingSar: Money;
  overdueSar: Money;
  creditsIssuedSar: Money;
  refundLikeDebitsSar: Money;
  recognizedVatSar: Money;
  netRevenueSar: Money;
  receivables: {
    currentSar: Money;
    days1To30Sar: Money;
    days31To60Sar: Money;
    days61PlusSar: Money;
    pendingRows: number;
    overdueRows: number;
  };
  statusBreakdown: { status: FeeStatus; count: number; amountSar: Money }[];
  ledgerBreakdown: { entryType: EntryType; direction: Direction; count: number; amountSar: Money }[];
  reconciliation: { successfulPaymentsSar: Money; ledgerCreditsSar: Money; varianceSar: Money };
};

/** Costs as many rows as there are days on which something was due or paid, however long the ledger is. */
export async function readFleetSums(sql: Queryable, today: string): Promise<FleetSums> {
  const rows = await readSumRows(sql, addDays(today, 1 - COLLECTED_DAYS));
  const ledger = rows.filter(({ measure }) => measure === 'ledger').map(toEntrySum);
  const fees = rows.filter(({ measure }) => measure === 'fees').map((row) => toFeeSum(row, today));
  const paidIn = (measure: SumRow['measure']) =>
    total(
      rows.filter((row) => row.measure === measure && row.part === 'succeeded'),
      (row) => toHalalas(row.total_sar),
    );

  const entries = (isMeant: (entry: EntrySum) => boolean) => ledger.filter(isMeant);
  const creditsIssued = total(
    entries(({ type }) => type === 'credit'),
    ofTotal,
  );
  const topUps = total(
    entries(({ type }) => type === 'topup'),
    ofTotal,
  );
  const feeDebits = entries(({ type }) => type === 'branch_fee' || type === 'service_fee');
  const open = fees.filter(({ status }) => status === 'pending' || status === 'overdue');
  const restDue = (from: number, until: number) =>
    fromHalalas(
      total(
        open.filter(({ daysLate }) => daysLate >= from && daysLate <= until),
        ofRest,
      ),
    );
  const collected = paidIn('payments');

  return {
    cashCollectedSar: fromHalalas(collected),
    cashCollected30dSar: fromHalalas(paidIn('payments_by_day')),
    walletBalanceSar: fromHalalas(
      total(ledger, ({ direction, total: amount }) => (direction === 'credit' ? amount : -amount)),
    ),
    outstandingSar: fromHalalas(total(open, ofRest)),
    overdueSar: restDue(1, Infinity),
    creditsIssuedSar: fromHalalas(creditsIssued),
    refundLikeDebitsSar: fromHalalas(
      total(
        entries(({ type, direction }) => direction === 'debit' && (type === 'refund' || type === 'adjustment')),
        ofTotal,
      ),
    ),
    recognizedVatSar: fromHalalas(total(feeDebits, ({ vat }) => vat)),
    netRevenueSar: fromHalalas(total(feeDebits, ({ amount }) => amount) - creditsIssued),
    receivables: {
      currentSar: restDue(-Infinity, 0),
      days1To30Sar: restDue(1, 30),
      days31To60Sar: restDue(31, 60),
      days61PlusSar: restDue(61, Infinity),
      pendingRows: countOf(open.filter(({ daysLate }) => daysLate <= 0)),
      overdueRows: countOf(open.filter(({ daysLate }) => daysLate > 0)),
    },
    statusBreakdown: byStatus(fees),
    ledgerBreakdown: ledger.map((entry) => ({
      entryType: entry.type,
      direction: entry.direction,
      count: entry.count,
      amountSar: fromHalalas(entry.total),
    })),
    reconciliation: {
      successfulPaymentsSar: fromHalalas(collected),
      ledgerCreditsSar: fromHalalas(topUps),
      varianceSar: fromHalalas(collected - topUps),
    },
  };
}

/**
 * Puts the changes into the sums, a batch a transaction. Readers see every change once whether it was folded or not, so
 * nothing depends on when this runs but how much they read.
 */
export async function foldBillingSums({ sql }: { sql: Sql }, signal?: AbortSignal): Promise<void> {
  let folded: number;
  do {
    signal?.throwIfAborted();
    folded = await inTransaction(sql, async (tx) => ((await tryToFold(tx)) ? foldChanges(tx, FOLD_BATCH) : 0));
  } while (folded === FOLD_BATCH);
}

type EntrySum = {
  type: EntryType;
  direction: Direction;
  count: number;
  amount: Halalas;
  vat: Halalas;
  total: Halalas;
};

function toEntrySum(row: SumRow): EntrySum {
  const [type, direction] = row.part.split(' ') as [EntryType, Direction];
  return {
    type,
    direction,
    count: row.row_count,
    amount: toHalalas(row.amount_sar),
    vat: toHalalas(row.vat_sar),
    total: toHalalas(row.total_sar),
  };
}

type FeeSum = { status: FeeStatus; daysLate: number; count: number; total: Halalas; rest: Halalas };

function toFeeSum(row: SumRow, today: string): FeeSum {
  const daysLate = Math.round((Date.parse(today) - Date.parse(row.day)) / 86_400_000);
  const isOpen = row.part === 'pending' || row.part === 'overdue';
  const whole = toHalalas(row.total_sar);
  return {
    status: isOpen ? (daysLate > 0 ? 'overdue' : 'pending') : (row.part as FeeStatus),
    daysLate,
    count: row.row_count,
    total: whole,
    rest: isOpen ? whole - toHalalas(row.paid_sar) : 0n,
  };
}

function byStatus(fees: readonly FeeSum[]): FleetSums['statusBreakdown'] {
  const groups = Map.groupBy(fees, ({ status }) => status);
  return [...groups]
    .map(([status, group]) => ({ status, count: countOf(group), amountSar: fromHalalas(total(group, ofTotal)) }))
    .sort((one, other) => (one.status < other.status ? -1 : 1));
}

const ofTotal = ({ total: amount }: { total: Halalas }) => amount;
const ofRest = ({ rest }: FeeSum) => rest;

function total<Item>(items: readonly Item[], amountOf: (item: Item) => Halalas): Halalas {
  return sumHalalas(items.map(amountOf));
}

function countOf(items: readonly { count: number }[]): number {
  return items.reduce((count, item) => count + item.count, 0);
}
