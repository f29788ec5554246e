export { BackupError } from './backup-error.ts';
export { type BackupStore, readAll } from './backup-store.ts';
export { followFiles, restoreFiles } from './copy-files.ts';
export { chooseBackup, extractBackup, RECOVERY_SETTINGS } from './extract-backup.ts';
export { followWal } from './follow-wal.ts';
export { openBackupStore } from './open-store.ts';
export {
  type BackupInfo,
  type BackupRepository,
  listBackups,
  openRepository,
  requireRepository,
} from './repository.ts';
export { takeBackup } from './take-backup.ts';
export { readBackupFile } from './verify-backup.ts';
