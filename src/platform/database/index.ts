export * from './advisory-locks.ts';
export * from './change-history.ts';
export { type DedicatedSql, onOwnConnection, whileNoneStarts } from './change-layout.ts';
export * from './check-connection.ts';
export * from './check-server.ts';
export * from './connect.ts';
export { DatabaseBusy, TenantQueueFull } from './connection-limiter.ts';
export { withServer } from './database-url.ts';
export * from './errors.ts';
export { hashUuid } from './hash-uuid.ts';
export { insertValues } from './insert-values.ts';
export * from './layout.ts';
export * from './list-changes.ts';
export * from './list-totals.ts';
export * from './migrate/index.ts';
export * from './plain-array.ts';
export * from './read-batching.ts';
export * from './read-layout.ts';
export {
  createRunOnGroup,
  FOLLOWER_LOCKS,
  groupTable,
  readFromGroup,
  runOnGroup,
  tenantTable,
  writeToGroup,
} from './run-on-group.ts';
export * from './schema-level.ts';
export { BACKGROUND_LIMITS, type DatabaseAddress, type Limits, REQUEST_LIMITS } from './session-settings.ts';
export type { Piece, Rows } from './statement.ts';
export {
  currentTenantContext,
  refuseInsideTransaction,
  withGroup,
  withoutTenant,
  withTenant,
} from './tenant-context.ts';
export {
  inOnePhase,
  inSnapshot,
  inTransaction,
  inTransactionByIndex,
  isTransaction,
  TWO_PHASE_TABLE,
} from './transaction.ts';
export * from './weekly-parts.ts';
