import { connectDatabase, type DatabaseAddress, type Limits, type Sql } from '../../src/platform/database/index.ts';
import { patienceMs } from './patience.ts';

/**
 * Limits for tests that do not test the limits. Longer than the timeout of a test, so that a slow machine is not reported as a
 * database error.
 */
const PATIENT_MS = 3 * patienceMs();
export const PATIENT_LIMITS: Limits = {
  waitMs: PATIENT_MS,
  connectMs: PATIENT_MS,
  statementMs: PATIENT_MS,
  lockMs: PATIENT_MS,
  idleInTransactionMs: PATIENT_MS,
};

export function connectPatiently(address: DatabaseAddress, poolSize: number): Sql {
  return connectDatabase(address, { poolSize, applicationName: 'tests', limits: PATIENT_LIMITS });
}
