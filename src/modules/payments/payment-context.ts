import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { VendorClient } from '../../providers/contract.ts';
import type { Install } from '../apps/index.ts';
import type { Ordering } from '../orders/index.ts';

/** Dependencies of the payment rules. */
export type PaymentContext = {
  sql: Sql;
  clock: Clock;
  box: SecretBox;
  ordering: Ordering;
  clientFor(install: Install, limits?: { withinMs?: number }): VendorClient;
  /** Whether installs may use the sandbox; true in the demo only. */
  allowsSandbox: boolean;
};

/** For all calls of one operation together. */
export const CALLS_MS = 10_000;
/** For reading the payment back after an unknown outcome. */
export const LOOK_MS = 5_000;
/** Longer than the calls of an operation and the read-back together. */
export const LEASE_MS = 60_000;
