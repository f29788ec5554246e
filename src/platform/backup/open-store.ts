import path from 'node:path';
import type { BackupS3Settings } from '../config.ts';
import { BackupError } from './backup-error.ts';
import type { BackupStore } from './backup-store.ts';
import { openFolderStore } from './folder-store.ts';
import { openS3Store } from './s3-store.ts';

/** Letters that need no escape in an address or in XML. */
const S3_TARGET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_.-]+)*)\/?$/;

/** The store at a path or at `s3://bucket/prefix`. */
export function openBackupStore(target: string, s3: BackupS3Settings | undefined): BackupStore {
  if (!target.startsWith('s3://')) return openFolderStore(path.resolve(target));
  const [, bucket, prefix = ''] = S3_TARGET.exec(target) ?? [];
  if (bucket === undefined || prefix.split('/').some((part) => part === '.' || part === '..')) {
    throw new BackupError(`${target} is not s3://bucket/prefix with letters, digits, dots and dashes`);
  }
  if (s3 === undefined) {
    throw new BackupError(
      `${target} needs BACKUP_S3_ENDPOINT, BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY (or their S3_ counterparts)`,
    );
  }
  return openS3Store({ ...s3, bucket }, prefix.slice(1));
}
