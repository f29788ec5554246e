export * from './steady-loop.ts';
export * from './wake-up.ts';
