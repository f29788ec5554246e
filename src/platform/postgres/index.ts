export { type Connection, connectionUrl } from './connection.ts';
export { findRunningServer } from './find-running-server.ts';
export { lockFolder, refuseFolderInUse } from './lock-folder.ts';
export { restoreCluster } from './restore-cluster.ts';
export { startEmbeddedPostgres } from './start-embedded-postgres.ts';
export type { EmbeddedPostgres } from './supervise-server.ts';
export { upgradeCluster } from './upgrade-cluster.ts';
