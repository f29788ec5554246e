export * from './capped-counter.ts';
export * from './fair-limiter.ts';
