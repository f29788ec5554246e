import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take a minute or more by themselves, the longest first. Begun last, one of them would run alone while the other
 * workers have nothing left; by their size, which is what is known of them in a fresh clone, they would be.
 */
const LONGEST = ['console/e2e/console.test.ts', 'test/upgrade/upgrade.test.ts'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
      return found === -1 ? LONGEST.length : found;
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
