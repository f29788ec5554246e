import type { Readable } from 'node:stream';

export type StoredFile = {
  /** The caller reads it to the end or destroys it; otherwise a descriptor or a connection stays open. */
  stream: Readable;
  contentType: string;
  sizeBytes: number;
  /** Quoted, ready for the ETag header. */
  etag: string;
  lastModified: Date;
};

export type FileMeta = {
  contentType: string;
  /** When set, a body of any other length is refused. */
  sizeBytes?: number;
};

/**
 * Keys are `<owner uuid>/<uuid>.<extension>`, made by `newFileKey`. Any other key is refused with `bad_key`.
 */
export type FileStore = {
  /**
   * All or nothing: readers see the whole new file or what was there before. A failing source rejects with the
   * source's own error; a failing store with a FileStoreError. The content is read to the end or destroyed.
   */
  put(key: string, content: Readable | Buffer, meta: FileMeta): Promise<{ sizeBytes: number }>;
  open(key: string): Promise<StoredFile | undefined>;
  /** Removing what is not there is a success. */
  remove(key: string): Promise<void>;
  /** Tries every key even when some fail, then throws the first failure. */
  removeMany(keys: readonly string[]): Promise<void>;
  /** Resolves when files can be written right now; rejects with a FileStoreError that says why not. */
  check(): Promise<void>;
  /** After the last request has been answered; what is still under way is cut off. */
  close(): Promise<void>;
};

export type FileStoreReason =
  /** The key was not made by this service, or does not fit the content. */
  | 'bad_key'
  /** The body is longer or shorter than announced, or more than the driver carries. */
  | 'bad_size'
  /** The store cannot be reached, or its disk does not answer as it should. */
  | 'unavailable'
  | 'timeout'
  /** Credentials or permissions. */
  | 'denied'
  /** Any other refusal of the store. */
  | 'failed';

export class FileStoreError extends Error {
  readonly reason: FileStoreReason;

  constructor(reason: FileStoreReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileStoreError';
    this.reason = reason;
  }
}

/**
 * The listener is attached at once, not when reading starts: a client that hangs up while the driver is still opening
 * its target would otherwise end the process with an unhandled 'error' event.
 */
export function readChunks(content: Readable | Buffer): AsyncIterable<Buffer> {
  if (Buffer.isBuffer(content)) return oneChunk(content);
  content.on('error', ignoreLateError);
  return bufferChunks(content);
}

async function* oneChunk(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

async function* bufferChunks(content: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
}

function ignoreLateError(): void {}

export function destroyContent(content: Readable | Buffer): void {
  if (!Buffer.isBuffer(content)) content.destroy();
}

const REMOVALS_AT_ONCE = 8;

/**
 * One DELETE a file. S3's batch delete was rejected: several compatible stores lack it or want other checksums, and
 * the largest set here is one branch's images (22).
 */
export async function removeEach(remove: FileStore['remove'], keys: readonly string[]): Promise<void> {
  const waiting = [...keys];
  const failures: unknown[] = [];
  const worker = async () => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      try {
        await remove(key);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(REMOVALS_AT_ONCE, keys.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
