import type { Notifier } from '../../platform/background/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/database/index.ts';
import type { StatusCounters } from './counters/status-counters.ts';
import type { ReadyOrder } from './order.ts';
import type { OrderContext } from './order-context.ts';

/** What the order rules work with. */
export type Ordering = {
  sql: Sql;
  clock: Clock;
  context: OrderContext;
  statusCounters: StatusCounters;
  /** Rung after a commit, so that the publisher looks at once. */
  outbox: Notifier;
  /** Places one order among others that arrive at the same time; false when its source transaction is known. */
  insertBatched(ready: ReadyOrder): Promise<boolean>;
};

/** Who asks: the tenant, and the branch for an account confined to one. */
export type OrderOwner = { organizationId: string; branchId: string | null };
