export * from './due-poll.ts';
export * from './due-work.ts';
export * from './latest-moments.ts';
export * from './notifier.ts';
export * from './notify-after-commit.ts';
export * from './steady-loop.ts';
export * from './write-batching.ts';
