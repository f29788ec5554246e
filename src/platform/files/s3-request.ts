import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { FileStoreError } from './file-store.ts';

export type S3Settings = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** `https://host/bucket/key` (default, understood by every compatible store) or `https://bucket.host/key`. */
  pathStyle?: boolean;
  /** From the first byte sent to the answer's headers, retries included. */
  timeoutMs?: number;
  /** Before the second attempt; doubled for the third. */
  retryDelayMs?: number;
};

export type S3Request = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD';
  /** Absent: the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer;
  contentType?: string;
  attempts?: number;
  timeoutMs?: number;
};

export type S3Answer =
  | { ok: true; status: number; headers: Dispatcher.ResponseData['headers']; body: Dispatcher.ResponseData['body'] }
  | { ok: false; status: number; code: string; message: string };

export type S3Connection = { send(wanted: S3Request): Promise<S3Answer>; close(): Promise<void> };

const ATTEMPTS = 3;
const TIMEOUT_MS = 30_000;
const RETRY_DELAY_MS = 100;
const CONNECT_TIMEOUT_MS = 5_000;
const ERROR_BODY_BYTES = 16 * 1024;
// The S3 documentation asks clients to retry SlowDown and InternalError.
const RETRIED_STATUSES = new Set([429, 500, 502, 503, 504]);

/**
 * Signed requests to one bucket. aws4fetch provides the signature only: its fetch retries ten times without an overall
 * deadline, and fetch would decode and buffer bodies that undici's `request` streams unchanged.
 */
export function connectS3(settings: S3Settings): S3Connection {
  const bucketUrl = getBucketUrl(settings);
  const { accessKeyId, secretAccessKey, region } = settings;
  const timeoutMs = settings.timeoutMs ?? TIMEOUT_MS;
  const retryDelayMs = settings.retryDelayMs ?? RETRY_DELAY_MS;
  const agent = new Agent({
    // No limit on connections: each download holds one as long as its reader is slow, so with a limit a few slow readers
    // would stop every upload. The service's limit on concurrent requests is the bound.
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
    // The deadline below covers the time to the headers; this one covers a stalled download.
    headersTimeout: 0,
    bodyTimeout: timeoutMs,
  });

  async function attempt(wanted: S3Request, signal: AbortSignal): Promise<S3Answer> {
    const query = wanted.query === undefined ? '' : `?${encodeQuery(wanted.query)}`;
    const url = (wanted.key === undefined ? bucketUrl : `${bucketUrl}/${wanted.key}`) + query;
    const headers: Record<string, string> = {
      ...wanted.headers,
      'x-amz-content-sha256': createHash('sha256')
        .update(wanted.body ?? '')
        .digest('hex'),
    };
    if (wanted.contentType !== undefined) headers['content-type'] = wanted.contentType;
    // Signed for each attempt, always with the system time: the store compares the signed date with its own clock.
    const signed = await new AwsV4Signer({
      method: wanted.method,
      url,
      headers,
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      allHeaders: true,
    }).sign();
    const response = await request(url, {
      method: wanted.method,
      headers: Object.fromEntries(signed.headers),
      body: wanted.body ?? null,
      dispatcher: agent,
      signal,
    });
    const status = response.statusCode;
    if (status >= 200 && status < 300) return { ok: true, status, headers: response.headers, body: response.body };
    return { ok: false, status, ...(await readError(response.body)) };
  }

  return {
    async send(wanted) {
      const deadline = new AbortController();
      const limitMs = wanted.timeoutMs ?? timeoutMs;
      const timer = setTimeout(() => deadline.abort(), limitMs);
      const attempts = wanted.attempts ?? ATTEMPTS;
      try {
        for (let nth = 1; ; nth++) {
          const isLast = nth === attempts;
          try {
            const answer = await attempt(wanted, deadline.signal);
            if (isLast || answer.ok || !RETRIED_STATUSES.has(answer.status)) return answer;
          } catch (error) {
            if (isLast) throw error;
          }
          await pause(retryDelayMs * 2 ** (nth - 1) * (0.5 + Math.random() / 2), undefined, {
            signal: deadline.signal,
          });
        }
      } catch (error) {
        throw deadline.signal.aborted
          ? new FileStoreError('timeout', `S3 ${wanted.method} got no answer within ${limitMs} ms`, { cause: error })
          : new FileStoreError('unavailable', `S3 ${wanted.method} failed: ${describeNetworkError(error)}`, {
              cause: error,
            });
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}

/** As the signature wants it: a space is %20, not +. */
function encodeQuery(query: Record<string, string>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

/** The address of the bucket, without a slash at the end. */
export function getBucketUrl({ endpoint, bucket, pathStyle = true }: S3Settings): string {
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new FileStoreError('failed', 'The S3 endpoint must be an http or https address without login or query');
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new FileStoreError('failed', `"${bucket}" is not an S3 bucket name`);
  }
  const base = url.pathname.replace(/\/+$/, '');
  return pathStyle ? `${url.origin}${base}/${bucket}` : `${url.protocol}//${bucket}.${url.host}${base}`;
}

/** A store's error may be XML, a proxy's HTML page or nothing; only a bounded part is read. */
async function readError(body: Dispatcher.ResponseData['body']): Promise<{ code: string; message: string }> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    parts.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > ERROR_BODY_BYTES) break;
  }
  const text = Buffer.concat(parts).toString('utf8');
  return { code: findElement(text, 'Code'), message: findElement(text, 'Message') };
}

function findElement(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]{1,300})</${name}>`).exec(xml)?.[1] ?? '';
}

/** A refused connection to a name with several addresses is an AggregateError without a message of its own. */
function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return [code, error.message].filter((part) => part !== '').join(': ');
}
