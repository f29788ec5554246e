import { setTimeout as pause } from 'node:timers/promises';
import { connectS3, FileStoreError, type S3Answer, type S3Request, type S3Settings } from '../files/index.ts';
import { BackupError } from './backup-error.ts';

/** The operations of S3 that backups use. Transient failures are retried; a refusal is a BackupError. */
export type Bucket = {
  /** `tolerate` names statuses that are answers, not failures. */
  send(wanted: S3Request, tolerate?: readonly number[]): Promise<S3Answer>;
  /** As `send`, with the text of a success. */
  ask(
    wanted: S3Request,
    tolerate?: readonly number[],
  ): Promise<{ ok: boolean; text: string; headers: Record<string, string | string[] | undefined> }>;
  /** A small object. Undefined when there is none. */
  find(key: string): Promise<Buffer | undefined>;
  /** Undefined when there is no such object. */
  sizeOf(key: string): Promise<number | undefined>;
  list(prefix: string): Promise<{ key: string; storedAt: Date }[]>;
  isEmpty(prefix: string): Promise<boolean>;
  /** Continues at the same byte when the connection is lost. */
  read(key: string): AsyncGenerator<Buffer>;
  remove(key: string): Promise<void>;
  /** At most 1,000 uploads that were begun and not completed. */
  listUploads(prefix: string): Promise<{ key: string; uploadId: string; storedAt: Date }[]>;
  abortUpload(key: string, uploadId: string): Promise<void>;
  close(): Promise<void>;
};

/** With the delays before them, an outage of half a minute passes unnoticed. */
const ATTEMPTS = 6;
const RETRY_DELAY_MS = 1_000;
const ATTEMPT_TIMEOUT_MS = 60_000;
/** A page of 1,000 keys of the greatest length is 1.4 MB. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const PAGE = '1000';

export function connectBucket(settings: S3Settings, location: string): Bucket {
  const timeoutMs = settings.timeoutMs ?? ATTEMPT_TIMEOUT_MS;
  const delayMs = settings.retryDelayMs ?? RETRY_DELAY_MS;
  const connection = connectS3({ ...settings, timeoutMs });

  async function send(wanted: S3Request, tolerate: readonly number[] = []): Promise<S3Answer> {
    const attempts = wanted.attempts ?? ATTEMPTS;
    for (let nth = 1; ; nth += 1) {
      try {
        const answer = await connection.send({ ...wanted, attempts: 1 });
        // A missing bucket is 404 as well, but never a missing object.
        if (answer.ok || (tolerate.includes(answer.status) && answer.code !== 'NoSuchBucket')) return answer;
        const detail = [answer.code, answer.message].filter((part) => part !== '').join(': ');
        const message = `${location}: S3 ${wanted.method} ${wanted.key ?? ''} answered ${answer.status} ${detail}`;
        if (answer.status < 500 && answer.status !== 429) throw new BackupError(message.trim());
        throw new FileStoreError('unavailable', message.trim());
      } catch (error) {
        if (error instanceof BackupError || nth === attempts) throw error;
      }
      await pause(delayMs * 2 ** (nth - 1) * (0.5 + Math.random() / 2));
    }
  }

  async function ask(wanted: S3Request, tolerate: readonly number[] = []): ReturnType<Bucket['ask']> {
    for (let nth = 1; ; nth += 1) {
      const answer = await send(wanted, tolerate);
      if (!answer.ok) return { ok: false, text: '', headers: {} };
      try {
        return { ok: true, text: await readText(answer.body), headers: answer.headers };
      } catch (error) {
        if (error instanceof BackupError || nth === ATTEMPTS) throw error;
      }
    }
  }

  async function readText(body: Extract<S3Answer, { ok: true }>['body']): Promise<string> {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of body) {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_TEXT_BYTES) throw new BackupError(`${location}: S3 sent an answer that is too long`);
    }
    return Buffer.concat(parts).toString('utf8');
  }

  async function sizeOf(key: string): Promise<number | undefined> {
    const { ok, headers } = await ask({ method: 'HEAD', key }, [404]);
    return ok ? Number(headers['content-length']) : undefined;
  }

  return {
    send,
    ask,
    sizeOf,
    async find(key) {
      const { ok, text } = await ask({ method: 'GET', key }, [404]);
      return ok ? Buffer.from(text) : undefined;
    },
    async list(prefix) {
      const found: { key: string; storedAt: Date }[] = [];
      let token: string | undefined;
      do {
        const query = { 'list-type': '2', prefix, 'max-keys': PAGE, ...(token && { 'continuation-token': token }) };
        const { text } = await ask({ method: 'GET', query });
        for (const object of findElements(text, 'Contents')) {
          found.push({ key: findElement(object, 'Key'), storedAt: new Date(findElement(object, 'LastModified')) });
        }
        const isCut = findElement(text, 'IsTruncated') === 'true';
        const next = isCut ? findElement(text, 'NextContinuationToken') : undefined;
        if (next === '' || (next !== undefined && next === token))
          throw new BackupError(`${location}: S3 sent a list without an end`);
        token = next;
      } while (token !== undefined);
      return found;
    },
    async isEmpty(prefix) {
      const { text } = await ask({ method: 'GET', query: { 'list-type': '2', prefix, 'max-keys': '1' } });
      return findElements(text, 'Contents').length === 0;
    },
    async *read(key) {
      let at = 0;
      let total: number | undefined;
      let etag = '';
      for (let failures = 0; ; ) {
        const headers: Record<string, string> = total === undefined ? {} : { range: `bytes=${at}-`, 'if-match': etag };
        const answer = await send({ method: 'GET', key, headers });
        if (!answer.ok) return;
        const startedAt = at;
        answer.body.on('error', () => {});
        try {
          if (total === undefined) {
            total = Number(answer.headers['content-length']);
            etag = String(answer.headers.etag ?? '');
          } else if (answer.status !== 206) throw new BackupError(`${location}: S3 cannot continue to read ${key}`);
          for await (const chunk of answer.body as AsyncIterable<Buffer>) {
            at += chunk.length;
            yield chunk;
          }
          if (at === total) return;
          throw new FileStoreError('unavailable', `${location}: S3 sent ${at} of ${total} bytes of ${key}`);
        } catch (error) {
          failures = at > startedAt ? 1 : failures + 1;
          if (error instanceof BackupError || failures === ATTEMPTS) throw error;
        } finally {
          answer.body.destroy();
        }
      }
    },
    async remove(key) {
      await ask({ method: 'DELETE', key }, [404]);
    },
    async listUploads(prefix) {
      // Not every store has it or allows it: then a lifecycle rule ends what was not completed.
      const { text } = await ask({ method: 'GET', query: { uploads: '', prefix } }, [403, 405, 501]);
      return findElements(text, 'Upload').map((upload) => ({
        key: findElement(upload, 'Key'),
        uploadId: findElement(upload, 'UploadId'),
        storedAt: new Date(findElement(upload, 'Initiated')),
      }));
    },
    async abortUpload(key, uploadId) {
      await ask({ method: 'DELETE', key, query: { uploadId }, attempts: 2 }, [404]);
    },
    close: () => connection.close(),
  };
}

export function findElement(xml: string, name: string): string {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => entities[entity] ?? '');
}

function findElements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner);
}
