export { type Connection, connectionUrl } from './connection.ts';
export { findRunningServer } from './find-running-server.ts';
export { refuseFolderInUse } from './lock-folder.ts';
export { startEmbeddedPostgres } from './start-embedded-postgres.ts';
export type { EmbeddedPostgres } from './supervise-server.ts';
