export type { MigrationContext } from './apply-backfill.ts';
export { type MigrateOptions, migrate } from './migrate.ts';
export { MigrationError, MigrationInterrupted } from './migration-error.ts';
export type { MigrationProgress, OnProgress } from './progress.ts';
export { listMigrations } from './read-migrations.ts';
