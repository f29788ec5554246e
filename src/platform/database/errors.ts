import postgres from 'postgres';

export type DatabaseFault =
  | { kind: 'unavailable' }
  | { kind: 'conflict'; constraint: string }
  | { kind: 'missing-reference'; constraint: string }
  | { kind: 'unusable-value' }
  | { kind: 'retry' }
  | { kind: 'other' };

const UNAVAILABLE_CODES = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  // The server is shutting down, starting up or out of connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // A standby that has not been promoted takes no writes.
  '25006',
]);

/** Sorts what the driver throws by what the caller can do about it. */
export function classifyDatabaseError(error: unknown): DatabaseFault {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return { kind: 'other' };
  if (UNAVAILABLE_CODES.has(error.code) || isMissingSocket(error)) return { kind: 'unavailable' };
  if (!(error instanceof postgres.PostgresError)) return { kind: 'other' };
  if (error.code === '23505') return { kind: 'conflict', constraint: error.constraint_name ?? '' };
  if (error.code === '23503') return { kind: 'missing-reference', constraint: error.constraint_name ?? '' };
  if (error.code === '40001' || error.code === '40P01') return { kind: 'retry' };
  // Class 22: a value the server cannot hold (out of range, bad encoding); 54: nested or large beyond its limits.
  if (error.code.startsWith('22') || error.code.startsWith('54')) return { kind: 'unusable-value' };
  return { kind: 'other' };
}

/** A file that is not there has the same code. */
function isMissingSocket(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  return error.code === 'ENOENT' && error.syscall === 'connect';
}

/** True when the error is a violation of exactly this unique constraint or index. */
export function isConflictOn(error: unknown, constraint: string): boolean {
  const fault = classifyDatabaseError(error);
  return fault.kind === 'conflict' && fault.constraint === constraint;
}
