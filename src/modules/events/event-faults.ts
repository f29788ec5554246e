import { classifyDatabaseError } from '../../platform/database/index.ts';

/**
 * SQLSTATE classes that speak of the values in a statement: cardinality, data, constraints, a check of a view or function,
 * and limits. All others (connections, resources, timeouts, missing tables, a disk that is full) would come for any event.
 */
const ABOUT_VALUES = new Set(['21', '22', '23', '44', '54', 'P0']);
const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * Whether an error is caused by the event itself, so that a retry cannot help. Errors of a database that is unavailable, overloaded or
 * of another version say nothing about an event.
 */
export function isFaultOfEvent(error: unknown): boolean {
  const { kind } = classifyDatabaseError(error);
  if (kind === 'unavailable' || kind === 'retry') return false;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error instanceof Error;
  if (SQLSTATE.test(error.code)) return ABOUT_VALUES.has(error.code.slice(0, 2));
  // What Node says of a wrong argument; anything else with a code comes from the network or the driver.
  return error.code.startsWith('ERR_INVALID');
}
