import pg from 'pg';

export type DatabaseFault =
  | { kind: 'unavailable' }
  | { kind: 'busy' }
  | { kind: 'conflict'; constraint: string }
  | { kind: 'missing-reference'; constraint: string }
  | { kind: 'unusable-value' }
  | { kind: 'retry' }
  | { kind: 'other' };

const UNAVAILABLE_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  // The server is shutting down, starting up or out of connections; or it has ended an idle transaction with its connection.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '25P03',
  // A standby that has not been promoted takes no writes.
  '25006',
]);

const BUSY_CODES = new Set([
  // Nobody's turn came in time; a statement past its time; a lock that was not to be had.
  'DATABASE_BUSY',
  '57014',
  '55P03',
]);

/** Sorts what the driver throws by what the caller can do about it. */
export function classifyDatabaseError(error: unknown): DatabaseFault {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return { kind: 'other' };
  if (UNAVAILABLE_CODES.has(error.code) || isMissingSocket(error)) return { kind: 'unavailable' };
  if (BUSY_CODES.has(error.code)) return { kind: 'busy' };
  if (!(error instanceof pg.DatabaseError)) return { kind: 'other' };
  if (error.code === '23505') return { kind: 'conflict', constraint: error.constraint ?? '' };
  if (error.code === '23503') return { kind: 'missing-reference', constraint: error.constraint ?? '' };
  if (error.code === '40001' || error.code === '40P01' || isStalePlan(error)) return { kind: 'retry' };
  // Class 22: a value the server cannot hold (out of range, bad encoding); 54: nested or large beyond its limits.
  if (error.code.startsWith('22') || error.code.startsWith('54')) return { kind: 'unusable-value' };
  return { kind: 'other' };
}

/** A file that is not there has the same code. */
function isMissingSocket(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  return error.code === 'ENOENT' && error.syscall === 'connect';
}

/** A kept plan of a table that was altered since. Another connection plans anew. */
function isStalePlan(error: pg.DatabaseError): boolean {
  return error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

/** True when the error is a violation of exactly this unique constraint or index. */
export function isConflictOn(error: unknown, constraint: string): boolean {
  const fault = classifyDatabaseError(error);
  return fault.kind === 'conflict' && fault.constraint === constraint;
}

export function isLost(error: unknown): boolean {
  return classifyDatabaseError(error).kind === 'unavailable';
}

/** The driver tells of most lost connections in words alone. */
export function lostConnection(
  code: 'CONNECTION_CLOSED' | 'CONNECTION_ENDED' | 'CONNECT_TIMEOUT',
  cause: unknown,
): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return Object.assign(new Error(message, { cause }), { code });
}

/** After these a connection is gone, or of no further use. */
export function needsFreshConnection(error: Error): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || isStalePlan(error);
}
