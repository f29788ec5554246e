import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** The goal for `npm test` on two quiet cores. Reported, not enforced: the time depends on the machine too. */
const BUDGET_SECONDS = 300;

export type FileTime = { file: string; seconds: number };
export type AreaTime = { area: string; seconds: number; files: number };

/** What each part of the project costs: the time of its test files from loading to the last hook, added up. */
export function budgetReporter(root: string, write = (text: string) => process.stdout.write(text)): Reporter {
  const startedMs = performance.now();
  return {
    onTestRunEnd(modules) {
      const times = modules.map((module) => timeOf(module, root));
      const areas = sumByArea(times);
      if (areas.length > 1) write(budgetTable(areas, times, (performance.now() - startedMs) / 1000));
    },
  };
}

function timeOf(module: TestModule, root: string): FileTime {
  const spent = module.diagnostic();
  const ms = spent.environmentSetupDuration + spent.prepareDuration + spent.collectDuration + spent.setupDuration;
  return {
    file: path.relative(root, module.moduleId).replaceAll(path.sep, '/'),
    seconds: (ms + spent.duration) / 1000,
  };
}

export function sumByArea(times: readonly FileTime[]): AreaTime[] {
  const areas = new Map<string, AreaTime>();
  for (const { file, seconds } of times) {
    const area = areaOf(file);
    const known = areas.get(area) ?? { area, seconds: 0, files: 0 };
    areas.set(area, { area, seconds: known.seconds + seconds, files: known.files + 1 });
  }
  return [...areas.values()].toSorted((one, other) => other.seconds - one.seconds);
}

/** `src/modules/orders`, `src/platform/http`, `test/fuzz`; files that stand in no folder of their own count for the one above. */
function areaOf(file: string): string {
  const parts = path.posix.dirname(file).split('/');
  const isDeep = parts[0] === 'src' && (parts[1] === 'modules' || parts[1] === 'platform');
  return parts.slice(0, isDeep ? 3 : 2).join('/');
}

export function budgetTable(areas: readonly AreaTime[], times: readonly FileTime[], wallSeconds: number): string {
  const total = areas.reduce((sum, { seconds }) => sum + seconds, 0);
  const lines = areas.map(({ area, seconds, files }) => {
    const share = total === 0 ? 0 : Math.round((seconds / total) * 100);
    return `  ${seconds.toFixed(1).padStart(7)} s  ${String(share).padStart(3)} %  ${area} (${files})`;
  });
  const [slowest] = times.toSorted((one, other) => other.seconds - one.seconds);
  const over = wallSeconds > BUDGET_SECONDS ? `: OVER the budget of ${BUDGET_SECONDS} s` : ` of ${BUDGET_SECONDS} s`;
  return [
    '\nTime by part (test files), all workers together:',
    ...lines,
    `  ${total.toFixed(1).padStart(7)} s         in ${wallSeconds.toFixed(0)} s${over}; slowest: ${slowest?.file} ${slowest?.seconds.toFixed(1)} s`,
    '',
  ].join('\n');
}
