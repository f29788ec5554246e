import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { VendorClient } from '../../providers/contract.ts';
import type { Install } from '../apps/index.ts';
import type { Ordering } from '../orders/index.ts';

/** What the payment rules work with. */
export type Paying = {
  sql: Sql;
  clock: Clock;
  box: SecretBox;
  ordering: Ordering;
  clientFor(install: Install, limits?: { withinMs?: number }): VendorClient;
  /** Whether installs may pretend: where the demo is. */
  allowsSandbox: boolean;
};

/** All calls of one operation together. */
export const CALLS_MS = 10_000;
/** Looking at what became of it afterwards. */
export const LOOK_MS = 5_000;
/** Longer than the calls of an operation and the look at it afterwards. */
export const LEASE_MS = 60_000;
