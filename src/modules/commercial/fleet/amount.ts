import { Type } from 'typebox';
import { findAmount, type Money } from '../billing/index.ts';

/** Of a body and of a query alike; that it is whole halalas is for `readAmount` to see, floats have no multiples of 0.01. */
export const AmountSar = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1_000_000_000,
  description: 'In riyals, in whole halalas: at most two decimal places',
  examples: [100],
});

/** As the ledger takes it, or what is wrong with it, by field. */
export function readAmount(amount_sar: number): { amountSar: Money; wrong: Record<string, string> } {
  const amountSar = findAmount(amount_sar);
  if (amountSar !== undefined) return { amountSar, wrong: {} };
  return { amountSar: '0.00', wrong: { amount_sar: 'must be above 0 and have at most two decimal places' } };
}
