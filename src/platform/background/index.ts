export * from './concurrency-caps.ts';
export * from './gather-writes.ts';
export * from './latest-moments.ts';
export * from './ring-after.ts';
export * from './steady-loop.ts';
export * from './wake-up.ts';
