import { parentPort, workerData } from 'node:worker_threads';
import { drawInvoice } from './draw-invoice.ts';
import type { PrintTask } from './print-invoice.ts';

const { invoice, language } = workerData as PrintTask;
parentPort?.postMessage(await drawInvoice(invoice, language));
