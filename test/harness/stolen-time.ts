import { readFileSync } from 'node:fs';

/** A hundredth of a second, of one core. */
const TICKS_A_SECOND = 100;
const STOLEN_PLACE = 8;

/**
 * Core seconds that a host has kept from this machine since its start, for its other guests. None where the system does not
 * tell: it is Linux alone that does.
 */
export function stolenSeconds(read = readTicks): number {
  const [first = ''] = read().split('\n', 1);
  return Number(first.trim().split(/\s+/)[STOLEN_PLACE] ?? 0) / TICKS_A_SECOND;
}

function readTicks(): string {
  try {
    return readFileSync('/proc/stat', 'utf8');
  } catch {
    return '';
  }
}
