import type { FileStoreSettings } from '../config.ts';
import type { FileStore } from './file-store.ts';
import { openLocalFileStore } from './local-file-store.ts';
import { openS3FileStore } from './s3-file-store.ts';

export { isFileKey, newFileKey } from './file-key.ts';
export { type FileStore, FileStoreError, type StoredFile } from './file-store.ts';
export { MAX_UPLOAD_BYTES, type ReceivedFile, receiveUpload, UploadError, type UploadRules } from './receive-upload.ts';
export { openS3FileStore } from './s3-file-store.ts';

/** Refuses unusable settings at once; a store that is down at the time is for `check()` to report. */
export async function openFileStore(settings: FileStoreSettings): Promise<FileStore> {
  return settings.driver === 'local' ? openLocalFileStore(settings) : openS3FileStore(settings);
}
