import type { Platform } from '../../../../platform/platform.ts';
import { foldBillingSums } from '../../billing/index.ts';
import type { ListChargeableAssignments } from '../chargeable-assignments.ts';
import type { CommercialSettings } from '../settings.ts';
import { runBilling } from './run-billing.ts';

export { type Billed, billOrganization } from './bill-organization.ts';
export { type BillingRun, type BillingRunOptions, runBilling } from './run-billing.ts';

/** The two jobs: bills every hour, sums every minute. */
export function scheduleBilling(
  platform: Pick<Platform, 'sql' | 'clock' | 'log' | 'jobs'>,
  { chargesMonths, seller }: CommercialSettings,
  listChargeableAssignments: ListChargeableAssignments,
): void {
  platform.jobs.every('billing-run', '7 * * * *', async ({ signal }) => {
    if (!chargesMonths) return;
    const run = await runBilling(platform, { listChargeableAssignments, seller, signal });
    if (run.organizations > 0) platform.log.info(run, 'organizations were billed');
  });
  platform.jobs.every('fold-billing-sums', '* * * * *', ({ signal }) => foldBillingSums(platform, signal));
}
