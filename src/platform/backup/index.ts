export { BackupError } from './backup-error.ts';
export { type BackupFolder, type BackupInfo, listBackups, openBackupFolder } from './backup-folder.ts';
export { chooseBackup, extractBackup, RECOVERY_SETTINGS } from './extract-backup.ts';
export { followWal } from './follow-wal.ts';
export { takeBackup } from './take-backup.ts';
export { readBackupFile } from './verify-backup.ts';
