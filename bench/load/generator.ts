import { generateLoad } from './generate-load.ts';
import type { LoadPlan, Sample } from './plan.ts';

export type LoadOrder = { id: number; plan: LoadPlan; seconds: number };
export type LoadReport = { id: number } & ({ sample: Sample } | { problem: string });

/** The generator's process: orders come in by message, reports go back. It ends with its parent process. */
process.on('message', (order: LoadOrder) => {
  generateLoad(order.plan, order.seconds).then(
    (sample) => report({ id: order.id, sample }),
    (error) => report({ id: order.id, problem: error instanceof Error ? error.message : String(error) }),
  );
});

function report(message: LoadReport): void {
  process.send?.(message);
}

// Nothing but the channel keeps an idle generator alive.
process.channel?.ref();
process.send?.({ ready: true });
