import { Type } from 'typebox';
import { findAmount, type Money } from '../billing/index.ts';

/** For bodies and queries. `readAmount` checks for whole halalas, since multipleOf 0.01 fails with floats. */
export const AmountSar = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1_000_000_000,
  description: 'In riyals, in whole halalas: at most two decimal places',
  examples: [100],
});

/** The amount as decimal text, or the validation error by field. */
export function readAmount(amount_sar: number): { amountSar: Money; wrong: Record<string, string> } {
  const amountSar = findAmount(amount_sar);
  if (amountSar !== undefined) return { amountSar, wrong: {} };
  return { amountSar: '0.00', wrong: { amount_sar: 'must be above 0 and have at most two decimal places' } };
}
