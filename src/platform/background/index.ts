export * from './gather-writes.ts';
export * from './ring-after.ts';
export * from './steady-loop.ts';
export * from './wake-up.ts';
