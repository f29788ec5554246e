import type { FileStoreSettings } from '../config.ts';
import type { FileStore } from './file-store.ts';
import { openLocalFileStore } from './local-file-store.ts';
import { openS3FileStore } from './s3-file-store.ts';

export { contentTypeOfKey, isFileKey, newFileKey } from './file-key.ts';
export { type FileStore, FileStoreError, type StoredFile } from './file-store.ts';
export { type LocalFileStore, openLocalFileStore } from './local-file-store.ts';
export { MAX_UPLOAD_BYTES, type ReceivedFile, receiveUpload, UploadError, type UploadRules } from './receive-upload.ts';
export { openS3FileStore, readVersioning } from './s3-file-store.ts';
export { connectS3, type S3Answer, type S3Request, type S3Settings } from './s3-request.ts';

/** Refuses unusable settings at once; a store that is down at the time is for `check()` to report. */
export async function openFileStore(settings: FileStoreSettings): Promise<FileStore> {
  return settings.driver === 'local' ? openLocalFileStore(settings) : openS3FileStore(settings);
}
