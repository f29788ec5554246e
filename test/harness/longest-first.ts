import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { spreadBrowsers } from './spread-browsers.ts';

/**
 * The files that take longest, the longest first. Started last, one of them would run alone while the other workers are idle. In a fresh
 * clone there are no durations of earlier runs, and the size of a file, the only other information, says little.
 */
const LONGEST = [
  'console/e2e/pages-1.test.ts',
  'console/e2e/administration.test.ts',
  'console/e2e/orders.test.ts',
  'console/e2e/pages-2.test.ts',
  'console/e2e/catalog.test.ts',
  'console/e2e/pages-3.test.ts',
  'console/e2e/connections.test.ts',
  'console/e2e/pages-4.test.ts',
  'console/e2e/entrance.test.ts',
  'test/start/embedded.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/isolation/isolation.test.ts',
  'test/docs/documents.test.ts',
  'src/modules/payments/transactions.test.ts',
  'test/journeys/demo.test.ts',
  'src/platform/postgres/server-account.test.ts',
  'test/upgrade/upgrade.test.ts',
  'src/platform/postgres/crash-recovery.test.ts',
  'src/platform/postgres/start-embedded-postgres.test.ts',
  'test/start/drain.test.ts',
  'test/scripts/scripts.test.ts',
  'src/modules/analytics/sensy/killed-worker.test.ts',
  'test/journeys/vendor-pushes.test.ts',
  'src/modules/apps/vendor-client.test.ts',
  'src/modules/sales/sales.property.test.ts',
  'src/modules/webhooks/workers.test.ts',
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
