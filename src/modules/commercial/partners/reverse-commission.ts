import type { Tx } from '../../../platform/database/index.ts';
import { insertReversals, type Refunded } from './sql/reversals.ts';

/**
 * In the transaction that refunds a tenant, under its account's lock. The refund takes back the newest payments first: fees
 * are settled with the oldest money, so what the wallet still holds is the newest. Each payment loses commission at the rate
 * of its own accrual, at the partner who earned it; what exceeds all accruals was paid before there was a partner and
 * reverses nothing.
 */
export async function reverseCommission(tx: Tx, refunded: Refunded): Promise<void> {
  await insertReversals(tx, refunded);
}
