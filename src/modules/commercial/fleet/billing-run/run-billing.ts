import { inTransaction, isLost } from '../../../../platform/database/index.ts';
import type { Platform } from '../../../../platform/platform.ts';
import { foldBillingSums, listDueForBilling } from '../../billing/index.ts';
import type { ListChargeableAssignments } from '../chargeable-assignments.ts';
import { type Billed, billOrganization } from './bill-organization.ts';

const PAGE = 500;

export type BillingRun = {
  /** How many there was something to do for. */
  organizations: number;
  charged: number;
  settled: number;
  suspended: number;
  resumed: number;
  /** Left as they were; the log says why, and the next run tries again. */
  failed: number;
};

export type BillingRunOptions = {
  listChargeableAssignments: ListChargeableAssignments;
  /** Only this one. */
  organizationId?: string;
  signal?: AbortSignal;
};

/**
 * Brings every organization's bill up to now. What it does depends on what was done, not on when it ran last: twice, late
 * or from two nodes at once come to the same.
 */
export async function runBilling(
  { sql, clock, log }: Pick<Platform, 'sql' | 'clock' | 'log'>,
  { listChargeableAssignments, organizationId, signal }: BillingRunOptions,
): Promise<BillingRun> {
  const now = clock.now();
  const run: BillingRun = { organizations: 0, charged: 0, settled: 0, suspended: 0, resumed: 0, failed: 0 };

  async function bill(id: string): Promise<void> {
    run.organizations += 1;
    try {
      let billed: Billed;
      do {
        signal?.throwIfAborted();
        billed = await inTransaction(sql, (tx) => billOrganization(tx, id, listChargeableAssignments, now));
        run.charged += billed.charged;
        run.settled += billed.settled;
        run.suspended += Number(billed.suspended);
        run.resumed += Number(billed.resumed);
      } while (!billed.isCurrent);
    } catch (error) {
      // Without a database nobody can be billed; one organization that cannot be must not keep the others waiting.
      if (signal?.aborted || isLost(error)) throw error;
      run.failed += 1;
      log.error({ err: error, organizationId: id }, 'an organization could not be billed');
    }
  }

  if (organizationId !== undefined) await bill(organizationId);
  else {
    let after: string | undefined;
    do {
      const page = await listDueForBilling(sql, { after, now, limit: PAGE });
      for (const id of page) await bill(id);
      after = page.length === PAGE ? page.at(-1) : undefined;
    } while (after !== undefined);
  }
  if (run.organizations > 0) await foldBillingSums({ sql }, signal);
  return run;
}
