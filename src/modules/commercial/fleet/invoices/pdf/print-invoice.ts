import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { createFairLimiter } from '../../../../../platform/fair-limiter/index.ts';
import { unavailable } from '../../../../../platform/http/problem.ts';
import type { PrintedInvoice } from './draw-invoice.ts';
import type { Language } from './words.ts';

export type PrintTask = { invoice: PrintedInvoice; language: Language };

/** A page takes 0.2 s of CPU, half of it for loading the packages, and 1,000 lines take 1.2 s. */
const PRINT_WITHIN_MS = 30_000;
const MAX_HEAP_MB = 256;
const MAX_CACHED_BYTES = 4 * 1024 * 1024;
const RETRY_AFTER_S = 5;

export type InvoicePrinter = { print(organizationId: string, task: PrintTask): Promise<Buffer> };

/**
 * Prints invoices in a thread that ends afterwards, one at a time in a process: shaping text takes too much of a core for the event loop, and
 * the packages (fontkit's tables) hold 40 MB that a service needs a few times a month. Issued invoices do not change: the latest are cached.
 */
export function createInvoicePrinter(): InvoicePrinter {
  const limiter = createFairLimiter({ maxConcurrent: 1, maxQueuedPerTenant: 4, maxQueued: 32, maxWaitMs: 15_000 });
  const printed = new LRUCache<string, Buffer>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (pdf) => pdf.length,
  });
  /** Callers of one invoice share its print: as many as the limiter has places. */
  const underWay = new Map<string, Promise<Buffer>>();
  const busy = () => unavailable('Too many invoices are being printed', RETRY_AFTER_S);
  return {
    async print(organizationId, task) {
      const key = `${organizationId} ${task.invoice.number} ${task.language}`;
      const known = printed.get(key) ?? underWay.get(key);
      if (known !== undefined) return known;
      const printing = limiter.run({ tenant: organizationId }, () => runThread(task), busy);
      underWay.set(key, printing);
      try {
        const pdf = await printing;
        printed.set(key, pdf);
        return pdf;
      } finally {
        underWay.delete(key);
      }
    },
  };
}

function runThread(workerData: PrintTask): Promise<Buffer> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    execArgv: [],
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const timer = setTimeout(() => reject(new Error('the invoice was not printed in time')), PRINT_WITHIN_MS);
  worker.once('message', (pdf: Uint8Array) => resolve(Buffer.from(pdf)));
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the thread that prints invoices ended with ${code}`)));
  return promise.finally(() => {
    clearTimeout(timer);
    return worker.terminate();
  });
}
