import { connectDatabase, type DatabaseAddress, type Limits, type Sql } from '../../src/platform/database/index.ts';

/**
 * Where it is not the limits that are tried out, a machine that stands still for a while is no reason to refuse anybody: what
 * hangs for good fails all the same, only later.
 */
export const PATIENT_LIMITS: Limits = {
  waitMs: 180_000,
  connectMs: 180_000,
  statementMs: 300_000,
  lockMs: 180_000,
  idleInTransactionMs: 300_000,
};

export function connectPatiently(address: DatabaseAddress, poolSize: number): Sql {
  return connectDatabase(address, { poolSize, applicationName: 'tests', limits: PATIENT_LIMITS });
}
