import { UsageError } from './command.ts';

/** A whole number of an option, within its bounds. */
export function readWholeNumber(text: string, option: string, min: number, max: number): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) < min || Number(text) > max) {
    throw new UsageError(`--${option} must be a whole number from ${min} to ${max}`);
  }
  return Number(text);
}
