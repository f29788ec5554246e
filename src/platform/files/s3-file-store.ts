import type { Readable } from 'node:stream';
import { parseFileKey, parseKeyFor } from './file-key.ts';
import {
  destroyContent,
  type FileStore,
  FileStoreError,
  readChunks,
  removeEach,
  type StoredFile,
} from './file-store.ts';
import { connectS3, type S3Answer, type S3Settings } from './s3-request.ts';

/**
 * A body is buffered before it is sent: S3 requires the length, which a multipart part does not have, the signature covers
 * the bytes, and a failed attempt can be repeated. This is the service's largest file; S3's multipart upload pays off at
 * ten times the size.
 */
const MAX_OBJECT_BYTES = 10 * 1024 * 1024;
const CHECK_TIMEOUT_MS = 5_000;
const MAX_VERSIONING_CHARACTERS = 4_096;

/**
 * Works with AWS S3 and the stores that speak its protocol. The access key needs GetObject, PutObject, DeleteObject and
 * ListBucket; without the last, S3 answers 403 instead of 404 for a file that is not there.
 */
export function openS3FileStore(settings: S3Settings): FileStore {
  for (const name of ['region', 'accessKeyId', 'secretAccessKey'] as const) {
    if (settings[name] === '') throw new FileStoreError('failed', `The S3 ${name} is empty`);
  }
  const connection = connectS3(settings);

  const remove = async (key: string): Promise<void> => {
    parseFileKey(key);
    const answer = await connection.send({ method: 'DELETE', key });
    if (answer.ok) await answer.body.dump();
    else if (!isMissingFile(answer)) throw refusal('DELETE', key, answer);
  };

  return {
    async put(key, content, meta) {
      try {
        parseKeyFor(key, meta.contentType);
        const body = await readAll(key, content, meta.sizeBytes);
        const answer = await connection.send({ method: 'PUT', key, body, contentType: meta.contentType });
        if (!answer.ok) throw refusal('PUT', key, answer);
        await answer.body.dump();
        return { sizeBytes: body.length };
      } catch (error) {
        destroyContent(content);
        throw error;
      }
    },

    async open(key) {
      // As on disk, the type comes from the key; the type stored with the object is not used.
      const { contentType } = parseFileKey(key);
      const answer = await connection.send({ method: 'GET', key });
      if (answer.ok) return describe(key, contentType, answer);
      if (isMissingFile(answer)) return undefined;
      throw refusal('GET', key, answer);
    },

    remove,
    removeMany: (keys) => removeEach(remove, keys),

    async check() {
      const answer = await connection.send({ method: 'HEAD', attempts: 1, timeoutMs: CHECK_TIMEOUT_MS });
      if (!answer.ok) throw refusal('HEAD', `bucket ${settings.bucket}`, answer);
      await answer.body.dump();
    },

    close: () => connection.close(),
  };
}

/** Whether the bucket keeps versions: `enabled`, `off`, or why that is unknown. Needs s3:GetBucketVersioning. */
export async function readVersioning(settings: S3Settings): Promise<string> {
  const connection = connectS3(settings);
  try {
    const answer = await connection.send({ method: 'GET', query: { versioning: '' }, timeoutMs: CHECK_TIMEOUT_MS });
    if (!answer.ok) return refusal('GET', 'versioning', answer).message;
    let text = '';
    for await (const chunk of answer.body) {
      text += String(chunk);
      if (text.length > MAX_VERSIONING_CHARACTERS) break;
    }
    return /<Status>Enabled<\/Status>/.test(text) ? 'enabled' : 'off';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await connection.close();
  }
}

async function readAll(key: string, content: Readable | Buffer, announcedBytes: number | undefined): Promise<Buffer> {
  const limitBytes = Math.min(announcedBytes ?? MAX_OBJECT_BYTES, MAX_OBJECT_BYTES);
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of readChunks(content)) {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) throw new FileStoreError('bad_size', `${key} is longer than ${limitBytes} bytes`);
    parts.push(chunk);
  }
  if (announcedBytes !== undefined && sizeBytes !== announcedBytes) {
    throw new FileStoreError('bad_size', `${key} has ${sizeBytes} bytes instead of ${announcedBytes}`);
  }
  return Buffer.concat(parts, sizeBytes);
}

function describe(key: string, contentType: string, answer: Extract<S3Answer, { ok: true }>): StoredFile {
  const { 'content-length': length, etag, 'last-modified': modified } = answer.headers;
  const sizeBytes = typeof length === 'string' ? Number(length) : Number.NaN;
  const lastModified = new Date(typeof modified === 'string' ? modified : Number.NaN);
  if (!Number.isSafeInteger(sizeBytes) || typeof etag !== 'string' || Number.isNaN(lastModified.getTime())) {
    answer.body.on('error', () => {}).destroy();
    throw new FileStoreError('failed', `S3 GET ${key} came without a usable Content-Length, ETag or Last-Modified`);
  }
  // undici emits 'error' for a body destroyed early, which would end the process without a listener. An unread body (a 304,
  // a client that disconnected) is no failure; a reader still gets the errors.
  answer.body.on('error', () => {});
  return { stream: answer.body, contentType, sizeBytes, etag, lastModified };
}

type S3Refusal = Extract<S3Answer, { ok: false }>;

/** A missing bucket is 404 as well, but means a wrong setting: taken for a missing file it would hide every image. */
function isMissingFile(answer: S3Refusal): boolean {
  return answer.status === 404 && answer.code !== 'NoSuchBucket';
}

function refusal(method: string, what: string, answer: S3Refusal): FileStoreError {
  const { status, code, message } = answer;
  const reason =
    status === 401 || status === 403 ? 'denied' : status >= 500 || status === 429 ? 'unavailable' : 'failed';
  const detail = [code, message].filter((part) => part !== '').join(': ');
  return new FileStoreError(reason, `S3 ${method} ${what} answered ${status}${detail === '' ? '' : ` ${detail}`}`);
}
