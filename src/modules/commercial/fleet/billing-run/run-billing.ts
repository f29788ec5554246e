import { inTransaction, isLost } from '../../../../platform/database/index.ts';
import type { Platform } from '../../../../platform/platform.ts';
import { foldBillingSums, listDueForBilling } from '../../billing/index.ts';
import type { ListChargeableAssignments } from '../chargeable-assignments.ts';
import type { Seller } from '../invoices/issue-fee-invoices.ts';
import { type Billed, billOrganization } from './bill-organization.ts';

const PAGE = 500;

export type BillingRun = {
  /** How many organizations had work. */
  organizations: number;
  charged: number;
  settled: number;
  suspended: number;
  resumed: number;
  /** Organizations that could not be billed; the log has the reason, and the next run retries. */
  failed: number;
};

export type BillingRunOptions = {
  listChargeableAssignments: ListChargeableAssignments;
  /** Only this one. */
  organizationId?: string;
  /** The operator on the tax invoices; without it none is issued. */
  seller?: Seller | undefined;
  signal?: AbortSignal;
};

/**
 * Bills every organization up to now. It depends on what was charged, not on when it ran last, so running it twice, late or on
 * two nodes at once gives the same result.
 */
export async function runBilling(
  { sql, clock, log }: Pick<Platform, 'sql' | 'clock' | 'log'>,
  { listChargeableAssignments, organizationId, seller, signal }: BillingRunOptions,
): Promise<BillingRun> {
  const now = clock.now();
  const run: BillingRun = { organizations: 0, charged: 0, settled: 0, suspended: 0, resumed: 0, failed: 0 };

  async function bill(id: string): Promise<void> {
    run.organizations += 1;
    try {
      let billed: Billed;
      do {
        signal?.throwIfAborted();
        billed = await inTransaction(sql, (tx) => billOrganization(tx, id, listChargeableAssignments, now, seller));
        run.charged += billed.charged;
        run.settled += billed.settled;
        run.suspended += Number(billed.suspended);
        run.resumed += Number(billed.resumed);
      } while (!billed.isCurrent);
    } catch (error) {
      // Without a database the run stops; one organization that cannot be billed must not block the others.
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
