import { createHash, type Hash } from 'node:crypto';
import { finished, PassThrough, Readable } from 'node:stream';
import { newFileKey } from './file-key.ts';
import { type FileStore, FileStoreError } from './file-store.ts';
import { type Acceptance, SNIFF_BYTES, sniffFile, WORDS } from './image-type.ts';

/** 10 MB as the interface counts it; a file of exactly this size passes. */
export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;

export type UploadRefusal = 'too_large' | 'wrong_type' | 'empty';

/** The client's file is invalid. All other errors of `receiveUpload` come from the store or the connection. */
export class UploadError extends Error {
  readonly reason: UploadRefusal;

  constructor(reason: UploadRefusal, message: string) {
    super(message);
    this.name = 'UploadError';
    this.reason = reason;
  }
}

export type UploadRules = { maxBytes: number; accept: Acceptance };
export type ReceivedFile = { key: string; contentType: string; sizeBytes: number; sha256: string };

/**
 * Streams one multipart file into the store under `<ownerId>/<new name>`. When it throws, nothing is stored and the rest of the
 * stream is drained: a multipart parser continues only as its parts are read, so a destroyed part would lose the fields
 * after it.
 */
export async function receiveUpload(
  store: FileStore,
  ownerId: string,
  stream: Readable,
  rules: UploadRules,
): Promise<ReceivedFile> {
  const inlet = openInlet(stream);
  try {
    return await storeUpload(store, ownerId, stream, inlet, rules);
  } catch (error) {
    stream.unpipe(inlet);
    inlet.destroy();
    stream.resume();
    throw error;
  }
}

/**
 * Reading through a separate stream allows stopping at any moment (destroy the inlet) without destroying the client's stream,
 * even while a read waits for a stalled client.
 */
function openInlet(stream: Readable): PassThrough {
  const inlet = new PassThrough();
  inlet.on('error', () => {});
  finished(stream, { writable: false }, (error) => {
    if (error) inlet.destroy(error);
  });
  return stream.pipe(inlet);
}

async function storeUpload(
  store: FileStore,
  ownerId: string,
  stream: Readable,
  inlet: PassThrough,
  rules: UploadRules,
): Promise<ReceivedFile> {
  const chunks: AsyncIterator<Buffer> = inlet[Symbol.asyncIterator]();
  const head = await readHead(chunks);
  if (head.length === 0) throw new UploadError('empty', 'The file is empty');
  const type = await sniffFile(head, rules.accept);
  if (type === undefined) throw new UploadError('wrong_type', `The file must be ${WORDS[rules.accept]}`);

  const key = newFileKey(ownerId, type.extension);
  const sha256 = createHash('sha256');
  const content = Readable.from(withinLimit(head, chunks, stream, rules.maxBytes, sha256), { objectMode: false });
  try {
    const { sizeBytes } = await store.put(key, content, { contentType: type.contentType });
    return { key, contentType: type.contentType, sizeBytes, sha256: sha256.digest('hex') };
  } catch (error) {
    // After a lost response the file may have been stored. The name is new, so removing it is safe.
    if (error instanceof FileStoreError) await store.remove(key).catch(() => {});
    throw error;
  }
}

async function readHead(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  while (sizeBytes < SNIFF_BYTES) {
    const next = await chunks.next();
    if (next.done) break;
    parts.push(next.value);
    sizeBytes += next.value.length;
  }
  return Buffer.concat(parts);
}

async function* withinLimit(
  head: Buffer,
  rest: AsyncIterator<Buffer>,
  stream: Readable,
  maxBytes: number,
  sha256: Hash,
): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  let chunk: Buffer | undefined = head;
  while (chunk !== undefined) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    sha256.update(chunk);
    yield chunk;
    const next = await rest.next();
    chunk = next.done ? undefined : next.value;
  }
  // A parser with its own limit ends the part early and sets only this flag; a truncated file must be refused.
  if ('truncated' in stream && stream.truncated === true) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): UploadError {
  return new UploadError('too_large', `The file is larger than ${maxBytes} bytes`);
}
