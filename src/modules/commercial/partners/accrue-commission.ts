import type { Tx } from '../../../platform/database/index.ts';
import { type Collected, insertAccrual } from './sql/partners.ts';

/**
 * In the transaction that takes the payment, after the ledger. The partner whose tenant it is earns its share at the rate
 * of now, once, however often this is called.
 */
export async function accrueCommission(tx: Tx, collected: Collected): Promise<void> {
  await insertAccrual(tx, collected);
}
