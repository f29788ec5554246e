import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** The goal for `npm test` on two quiet cores. Reported, not enforced: the time depends on the machine too. */
const BUDGET_SECONDS = 300;

declare module 'vitest' {
  interface TaskMeta {
    /** CPU time of the worker, set by `every-file.ts`. */
    cpuSeconds?: number;
  }
}

export type FileTime = { file: string; seconds: number; cpuSeconds: number };
export type AreaTime = { area: string; seconds: number; cpuSeconds: number; files: number };

/**
 * What each part of the project costs: the time of its test files from loading to the last hook, added up, and the CPU time of the workers,
 * which can be compared on a busy machine too. PostgreSQL, browsers and other processes are not part of it.
 */
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
    cpuSeconds: module.meta().cpuSeconds ?? 0,
  };
}

export function sumByArea(times: readonly FileTime[]): AreaTime[] {
  const areas = new Map<string, AreaTime>();
  for (const { file, seconds, cpuSeconds } of times) {
    const area = areaOf(file);
    const known = areas.get(area) ?? { area, seconds: 0, cpuSeconds: 0, files: 0 };
    areas.set(area, {
      area,
      seconds: known.seconds + seconds,
      cpuSeconds: known.cpuSeconds + cpuSeconds,
      files: known.files + 1,
    });
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
  const totalCpu = areas.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const lines = areas.map(({ area, seconds, cpuSeconds, files }) => {
    const share = total === 0 ? 0 : Math.round((seconds / total) * 100);
    return `  ${seconds.toFixed(1).padStart(7)} s  ${String(share).padStart(3)} %  ${cpuSeconds.toFixed(1).padStart(6)} s CPU  ${area} (${files})`;
  });
  const [slowest] = times.toSorted((one, other) => other.seconds - one.seconds);
  const over = wallSeconds > BUDGET_SECONDS ? `: OVER the budget of ${BUDGET_SECONDS} s` : ` of ${BUDGET_SECONDS} s`;
  return [
    '\nTime and CPU time of the workers by part (test files), all workers together:',
    ...lines,
    `  ${total.toFixed(1).padStart(7)} s         ${totalCpu.toFixed(1).padStart(6)} s CPU  in ${wallSeconds.toFixed(0)} s${over}; slowest: ${slowest?.file} ${slowest?.seconds.toFixed(1)} s`,
    '',
  ].join('\n');
}
