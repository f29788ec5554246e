import type { LoadOrder, LoadReport } from '../load/generator.ts';
import type { LoadPlan, Sample } from '../load/plan.ts';
import type { CleanUp } from './clean-up.ts';
import { startProcess, waitUntilReady } from './start-process.ts';

export type Generator = (plan: LoadPlan, seconds: number) => Promise<Sample>;

/** One generator serves a whole run: it stays warm, and every case is measured by the very same client. */
export async function startGenerator(cleanUp: CleanUp): Promise<Generator> {
  const generator = await startProcess(new URL('../load/generator.ts', import.meta.url), cleanUp);
  const { child, ended } = generator;
  await waitUntilReady(generator, 'The load generator', ({ message }) => (message === undefined ? undefined : true));
  let orders = 0;
  return (plan, seconds) =>
    new Promise((resolve, reject) => {
      orders += 1;
      const id = orders;
      child.on('message', function onMessage(report: LoadReport) {
        if (report.id !== id) return;
        child.off('message', onMessage);
        if ('sample' in report) resolve(report.sample);
        else reject(new Error(`${plan.baseUrl}: ${report.problem}`));
      });
      ended.then((how) => reject(new Error(`The load generator ended: ${how}`)));
      child.send({ id, plan, seconds } satisfies LoadOrder);
    });
}
