import { inTransaction, type Sql } from '../../../../platform/database/index.ts';
import { chargeMonths, type Money, startOfBillingDay, takePayment } from '../index.ts';
import { branchesOf } from './books.ts';

export const SIGNED_UP = new Date('2026-01-10T09:00:00Z');
/** Nine in the morning of a day. */
export const at = (day: string) => new Date(startOfBillingDay(day).getTime() + 9 * 3_600_000);

export const pay = (db: Sql, organizationId: string, amountSar: Money, day: string) =>
  inTransaction(db, (tx) =>
    takePayment(tx, {
      organizationId,
      amountSar,
      method: 'bank_transfer',
      reference: 'TRF-1',
      createdBy: 'op',
      now: at(day),
    }),
  );
export const charge = (db: Sql, id: string, branches: number, day: string, plan = 'standard') =>
  inTransaction(db, (tx) =>
    chargeMonths(tx, { organization: { id, plan }, branches: branchesOf(branches), assignments: [], now: at(day) }),
  );
