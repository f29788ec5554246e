import type { Notifier } from '../../platform/background/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import type { StatusCounters } from './counters/status-counters.ts';
import type { ReadyOrder } from './order.ts';
import type { OrderContextReader } from './order-context.ts';

/** Dependencies of the order rules. */
export type Ordering = {
  sql: Sql;
  clock: Clock;
  context: OrderContextReader;
  statusCounters: StatusCounters;
  /** Notified after a commit, so that the publisher reads the outbox at once. */
  outbox: Notifier;
  /** Inserts an order in one batch with others that arrive at the same time. False when its source transaction exists. */
  insertBatched(ready: ReadyOrder): Promise<boolean>;
};

/** The calling tenant, and the branch of an account that is confined to one. */
export type OrderOwner = { organizationId: string; branchId: string | null };
