import { Type } from 'typebox';
import { decimal, round, toText } from '../money.ts';
import { unprocessable } from './problem.ts';

const MAX_SAR = 1_000_000_000;

/** Riyals in a body. A schema cannot require whole halalas: rules call `refuseBrokenHalalas`. */
export const amountSar = (description: string) => Type.Number({ exclusiveMinimum: 0, maximum: MAX_SAR, description });

/** Checked on the text of the number, since 0.07 is not a multiple of 0.01 as a float. */
export function refuseBrokenHalalas(amounts: Record<string, number | undefined>): void {
  const broken = Object.entries(amounts).filter(([, value]) => value !== undefined && decimal(value).scale > 2);
  if (broken.length === 0) return;
  throw unprocessable(Object.fromEntries(broken.map(([name]) => [name, 'must have at most two decimal places'])));
}

/** Formatted for the database: 287.5 is '287.50'. */
export function sarText(value: number): string {
  return toText(round(decimal(value), 2));
}
