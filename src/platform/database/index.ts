export * from './connect.ts';
export * from './errors.ts';
export * from './migrate.ts';
export * from './list-totals.ts';
