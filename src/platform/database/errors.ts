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
  // A standby that has not been promoted refuses writes.
  '25006',
]);

const BUSY_CODES = new Set([
  // No free connection, statement or lock within the time limit.
  'DATABASE_BUSY',
  '57014',
  '55P03',
]);

/** Classifies a driver error by what the caller can do about it. */
export function classifyDatabaseError(error: unknown): DatabaseFault {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return { kind: 'other' };
  if (UNAVAILABLE_CODES.has(error.code) || isMissingSocket(error)) return { kind: 'unavailable' };
  if (BUSY_CODES.has(error.code)) return { kind: 'busy' };
  if (!(error instanceof pg.DatabaseError)) return { kind: 'other' };
  if (isNodeDown(error)) return { kind: 'unavailable' };
  const duplicate = duplicateOf(error);
  if (duplicate !== undefined) return { kind: 'conflict', constraint: duplicate };
  if (error.code === '23503') return { kind: 'missing-reference', constraint: constraintOf(error) };
  if (error.code === '40001' || error.code === '40P01' || isStalePlan(error) || isNewPartition(error))
    return { kind: 'retry' };
  // Class 22: a value the server cannot store (out of range, bad encoding); 54: too deeply nested or too large.
  if (error.code.startsWith('22') || error.code.startsWith('54')) return { kind: 'unusable-value' };
  return { kind: 'other' };
}

/** A node of a cluster does not answer its coordinator, whose connection to us is well. */
function isNodeDown(error: pg.DatabaseError): boolean {
  return error.code?.startsWith('08') === true || NODE_DOWN.test(error.message);
}

/** Some have the code of an internal error. */
const NODE_DOWN =
  /failure on connection marked as essential|connection to the remote node .* failed|server closed the connection unexpectedly|connection not open|SSL SYSCALL error/;

/** The violated unique constraint. For rows that a cluster copies to a node, the message alone says what happened. */
function duplicateOf(error: pg.DatabaseError): string | undefined {
  if (error.code === '23505') return constraintOf(error);
  if (error.code !== 'XX000' || !error.message.includes('violates unique constraint')) return undefined;
  return constraintOf(error);
}

/** A cluster names the constraint of the shard, in most cases in the message alone. */
function constraintOf({ constraint, message }: pg.DatabaseError): string {
  const name = constraint ?? /violates \S+(?: key)? constraint "([^"]+)"/.exec(message)?.[1] ?? '';
  return name.replace(/_\d{6,}$/, '');
}

/** A missing file has the same code. */
function isMissingSocket(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  return error.code === 'ENOENT' && error.syscall === 'connect';
}

/** A cached plan of a table that was altered since. Another connection plans again. */
function isStalePlan(error: pg.DatabaseError): boolean {
  return error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

/** The row was on its way to the default partition while its week's own was attached. */
function isNewPartition({ code, message }: pg.DatabaseError): boolean {
  return code === '23514' && message.includes('violates partition constraint');
}

/** True when the error is a violation of exactly this unique constraint or index. */
export function isConflictOn(error: unknown, constraint: string): boolean {
  const fault = classifyDatabaseError(error);
  return fault.kind === 'conflict' && fault.constraint === constraint;
}

/** The connection to the server, not that of a server to its nodes. */
export function isLost(error: unknown): boolean {
  return (
    classifyDatabaseError(error).kind === 'unavailable' && !(error instanceof pg.DatabaseError && isNodeDown(error))
  );
}

/** The statement was not run: an earlier one of its transaction has failed. */
export function isOfAborted(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}

/** The driver reports most lost connections by message only, without a code. */
export function lostConnection(
  code: 'CONNECTION_CLOSED' | 'CONNECTION_ENDED' | 'CONNECT_TIMEOUT',
  cause: unknown,
): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  return Object.assign(new Error(message, { cause }), { code });
}

/** After these errors a connection is closed or unusable. */
export function needsFreshConnection(error: Error): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  // A primary that became a standby: the next connection is to its successor.
  if (error.code === '25006') return true;
  return error.severity === 'FATAL' || error.severity === 'PANIC' || isStalePlan(error);
}
