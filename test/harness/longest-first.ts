import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { spreadBrowsers } from './spread-browsers.ts';

/**
 * The files that take longest, the longest first. Started last, one of them would run alone while the other workers are idle. In a fresh
 * clone there are no durations of earlier runs, and the size of a file, the only other information, says little.
 */
const LONGEST = [
  'console/e2e/entrance.test.ts',
  'console/e2e/administration.test.ts',
  'console/e2e/orders.test.ts',
  'console/e2e/pages-4.test.ts',
  'console/e2e/connections.test.ts',
  'console/e2e/catalog.test.ts',
  'console/e2e/pages-2.test.ts',
  'console/e2e/pages-3.test.ts',
  'console/e2e/pages-1.test.ts',
  'test/start/embedded.test.ts',
  'test/journeys/demo.test.ts',
  'test/start/backup.test.ts',
  'test/vendors/partial-orders.test.ts',
  'test/isolation/isolation.test.ts',
  'test/docs/documents.test.ts',
  'src/platform/postgres/crash-recovery.test.ts',
  'test/start/drain.test.ts',
  'test/upgrade/upgrade.test.ts',
  'test/journeys/vendor-pushes.test.ts',
  'test/fuzz/fuzz.test.ts',
  'src/modules/apps/vendor-client.test.ts',
  'test/scripts/scripts.test.ts',
  'src/modules/webhooks/workers.test.ts',
  'src/modules/analytics/sensy/sensy.test.ts',
  'src/platform/jobs/jobs.test.ts',
  'src/platform/files/s3-file-store.test.ts',
  'src/platform/postgres/server-account.test.ts',
  'src/modules/payments/transactions.test.ts',
  'src/cli/client/client-commands.test.ts',
  'src/modules/webhooks/slow-receivers.test.ts',
  'test/journeys/hostile-vendors.test.ts',
  'src/modules/webhooks/failed-attempts.test.ts',
  'src/modules/events/ended-rights.test.ts',
  'src/modules/analytics/sensy/killed-worker.test.ts',
  'src/platform/postgres/start-embedded-postgres.test.ts',
  'src/modules/branches/branch-form-abuse.test.ts',
  'src/modules/payments/match-again.test.ts',
  'src/platform/database/transaction.test.ts',
  'src/modules/orders/list/unread-answers.test.ts',
  'src/modules/health/health.test.ts',
  'src/modules/orders/export/export-orders.test.ts',
  'src/platform/backup/backup-store.test.ts',
  'test/openapi/openapi.test.ts',
  'test/start/commands.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
      return found === -1 ? LONGEST.length : found;
    };
    const byLength = sorted.toSorted((one, other) => rank(one) - rank(other));
    return spreadBrowsers(byLength, ({ moduleId }) => moduleId.includes('/console/e2e/'));
  }
}
