export * from './check-connection.ts';
export * from './connect.ts';
export * from './errors.ts';
export * from './gather-reads.ts';
export * from './in-snapshot.ts';
export * from './list-changes.ts';
export * from './list-totals.ts';
export * from './migrate.ts';
