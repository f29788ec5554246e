export { BackupError } from './backup-error.ts';
export { type BackupStore, readAll } from './backup-store.ts';
export { followFiles, restoreFiles } from './copy-files.ts';
export { chooseBackup, extractBackup, RECOVERY_SETTINGS } from './extract-backup.ts';
export { followWal } from './follow-wal.ts';
export { openBackupStore } from './open-store.ts';
export { receiveUpTo } from './receive-up-to.ts';
export {
  type BackupInfo,
  type BackupRepository,
  listBackups,
  newBackupId,
  openRepository,
  requireRepository,
} from './repository.ts';
export {
  addRestorePoint,
  chooseRestorePoint,
  deleteRestorePointsBefore,
  isOfCluster,
  listRestorePoints,
  openClusterTarget,
  type RestorePoint,
} from './restore-points.ts';
export { takeBackup } from './take-backup.ts';
export { readBackupFile } from './verify-backup.ts';
export { compareLsns } from './wal-position.ts';
