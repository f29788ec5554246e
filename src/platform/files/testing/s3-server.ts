import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** What the next request meets instead of its proper answer. */
export type S3Fault =
  | { kind: 'status'; status: number; code?: string; body?: string }
  /** A refusal whose body never ends. */
  | { kind: 'endless-error' }
  | { kind: 'reset' }
  | { kind: 'hang' }
  /** Stores the object, then drops the connection instead of answering. */
  | { kind: 'lost-answer' }
  /** Announces the full length, sends half, closes. */
  | { kind: 'truncate' }
  /** Sends half and then nothing more. */
  | { kind: 'stall' }
  /** A success whose body never ends. */
  | { kind: 'endless' };

export type S3TestServer = {
  endpoint: string;
  settings: { endpoint: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string };
  objects: Map<string, { content: Buffer; contentType: string; lastModified: Date }>;
  /** Multipart uploads that were begun and neither completed nor aborted. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer> }>;
  /** Whether `GET ?versioning` says that the bucket keeps versions. */
  versioning: { enabled: boolean };
  /** `METHOD path -> status`, in order of arrival; status 0 when cut off. */
  log: string[];
  /** Taken by the next requests, in order. */
  faults: S3Fault[];
  /** Decides for each request instead, when set. */
  onRequest: ((line: string) => S3Fault | undefined) | undefined;
  openConnections(): Promise<number>;
  close(): Promise<void>;
};

const BUCKET = 'dukkan-test';
const REGION = 'me-south-1';
const ACCESS_KEY_ID = 'AKIATESTTESTTESTTEST';
const SECRET_ACCESS_KEY = 'test/secret+access/key';
const MAX_SKEW_MS = 15 * 60 * 1000;

/** One bucket of S3, path style, over real HTTP. The signature is checked from the specification, not by aws4fetch. */
export async function startS3TestServer(): Promise<S3TestServer> {
  const objects: S3TestServer['objects'] = new Map();
  const log: string[] = [];
  const faults: S3Fault[] = [];
  const uploads: S3TestServer['uploads'] = new Map();
  const versioning = { enabled: false };
  const state = { objects, uploads, versioning };

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const entry = log.push(`${request.method} ${request.url} -> 0`) - 1;
    const note = (status: number) => {
      log[entry] = `${request.method} ${request.url} -> ${status}`;
    };

    const fault = running.onRequest?.(`${request.method} ${request.url}`) ?? faults.shift();
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'reset') return request.socket.destroy();
    if (fault?.kind === 'endless-error' || fault?.kind === 'endless') {
      response.writeHead(fault.kind === 'endless' ? 200 : 400);
      return pipeline(endlessText, response).catch(() => {});
    }
    const answer = fault?.kind === 'status' ? faultAnswer(fault) : serve(request, body, state);
    if (fault?.kind === 'lost-answer') return request.socket.destroy();
    note(answer.status);
    response.writeHead(answer.status, { 'content-length': answer.body.length, ...answer.headers });
    if (request.method === 'HEAD') return response.end();
    if (fault?.kind !== 'truncate' && fault?.kind !== 'stall') return response.end(answer.body);
    response.write(answer.body.subarray(0, answer.body.length / 2), () => {
      if (fault.kind === 'truncate') request.socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const running: S3TestServer = {
    endpoint,
    settings: {
      endpoint,
      region: REGION,
      bucket: BUCKET,
      accessKeyId: ACCESS_KEY_ID,
      secretAccessKey: SECRET_ACCESS_KEY,
    },
    ...state,
    log,
    faults,
    onRequest: undefined,
    openConnections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return running;
}

function* endlessText(): Generator<string> {
  for (;;) yield 'no end in sight '.repeat(1000);
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer };

type State = Pick<S3TestServer, 'objects' | 'uploads' | 'versioning'>;

function serve(request: http.IncomingMessage, body: Buffer, state: State): Answer {
  const refused = refuseSignature(request, body);
  if (refused !== undefined) return refused;
  const url = new URL(request.url ?? '', 'http://localhost');
  const [, bucket, ...rest] = url.pathname.split('/');
  const key = decodeURIComponent(rest.join('/'));
  if (bucket !== BUCKET) return xmlError(404, 'NoSuchBucket', 'The specified bucket does not exist');
  if (key === '') return serveBucket(request.method, url.searchParams, state);
  if (url.searchParams.has('uploads') || url.searchParams.has('uploadId')) {
    return serveUpload(request.method, key, url.searchParams, body, state);
  }

  const { objects } = state;
  const found = objects.get(key);
  switch (request.method) {
    case 'PUT':
      objects.set(key, {
        content: body,
        contentType: request.headers['content-type'] ?? 'binary/octet-stream',
        lastModified: new Date(),
      });
      return empty(200, { etag: etagOf(body) });
    case 'DELETE':
      objects.delete(key);
      return empty(204);
    case 'GET':
    case 'HEAD': {
      if (found === undefined) return xmlError(404, 'NoSuchKey', 'The specified key does not exist.');
      const etag = etagOf(found.content);
      if ((request.headers['if-match'] ?? etag) !== etag)
        return xmlError(412, 'PreconditionFailed', 'It was replaced.');
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      return {
        status: from > 0 ? 206 : 200,
        headers: { etag, 'content-type': found.contentType, 'last-modified': found.lastModified.toUTCString() },
        body: found.content.subarray(from),
      };
    }
    default:
      return xmlError(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.');
  }
}

const PAGE = 100;

function serveBucket(
  method: string | undefined,
  query: URLSearchParams,
  { objects, uploads, versioning }: State,
): Answer {
  if (method === 'HEAD') return empty(200);
  const prefix = query.get('prefix') ?? '';
  if (method === 'GET' && query.has('versioning')) {
    return xml(
      `<VersioningConfiguration>${versioning.enabled ? '<Status>Enabled</Status>' : ''}</VersioningConfiguration>`,
    );
  }
  if (method === 'GET' && query.has('uploads')) {
    const open = [...uploads].filter(([, { key }]) => key.startsWith(prefix));
    const rows = open.map(
      ([id, { key }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>`,
    );
    return xml(`<ListMultipartUploadsResult>${rows.join('')}</ListMultipartUploadsResult>`);
  }
  if (method !== 'GET' || query.get('list-type') !== '2') return xmlError(405, 'MethodNotAllowed', 'Not here');
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString('utf8');
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, Math.min(PAGE, Number(query.get('max-keys') ?? PAGE)));
  const rows = page.map((key) => {
    const modified = objects.get(key)?.lastModified.toISOString();
    return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified></Contents>`;
  });
  const isCut = page.length < keys.length;
  const next = isCut ? Buffer.from(page.at(-1) ?? '').toString('base64') : '';
  const token = isCut ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
  return xml(`<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${token}${rows.join('')}</ListBucketResult>`);
}

const MIN_PART_BYTES = 5 * 1024 * 1024;

function serveUpload(
  method: string | undefined,
  key: string,
  query: URLSearchParams,
  body: Buffer,
  { objects, uploads }: State,
): Answer {
  if (method === 'POST' && query.has('uploads')) {
    const id = `${uploads.size + 1}/+&${key.length}`;
    uploads.set(id, { key, parts: new Map() });
    return xml(
      `<InitiateMultipartUploadResult><UploadId>${id.replace('&', '&amp;')}</UploadId></InitiateMultipartUploadResult>`,
    );
  }
  const id = query.get('uploadId') ?? '';
  const upload = uploads.get(id);
  if (upload === undefined || upload.key !== key) return xmlError(404, 'NoSuchUpload', 'The upload does not exist.');
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body);
    return empty(200, { etag: etagOf(body) });
  }
  if (method === 'DELETE') {
    uploads.delete(id);
    return empty(204);
  }
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>(.*?)<\/ETag>/g)];
  const parts = named.map(([, number, etag]) => {
    const part = upload.parts.get(Number(number));
    return part !== undefined && etagOf(part) === etag?.replaceAll('&quot;', '"') ? part : undefined;
  });
  const isTooSmall = parts.slice(0, -1).some((part) => (part?.length ?? 0) < MIN_PART_BYTES);
  if (parts.length === 0 || parts.includes(undefined) || isTooSmall)
    return xmlError(400, 'InvalidPart', 'A part is wrong.');
  objects.set(key, {
    content: Buffer.concat(parts as Buffer[]),
    contentType: 'binary/octet-stream',
    lastModified: new Date(),
  });
  uploads.delete(id);
  return xml(`<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`);
}

/** AWS Signature Version 4, header form: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function refuseSignature(request: http.IncomingMessage, body: Buffer): Answer | undefined {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
  if (match === null) return xmlError(403, 'AccessDenied', 'Access Denied');
  const [, accessKeyId = '', day = '', region = '', signedHeaders = '', signature = ''] = match;
  if (accessKeyId !== ACCESS_KEY_ID) return xmlError(403, 'InvalidAccessKeyId', 'The access key does not exist.');
  if (region !== REGION)
    return xmlError(400, 'AuthorizationHeaderMalformed', `The region is wrong; expecting ${REGION}`);

  const names = signedHeaders.split(';');
  const mustBeSigned = Object.keys(request.headers).filter(
    (name) => name === 'host' || name === 'content-type' || name.startsWith('x-amz-'),
  );
  if (mustBeSigned.some((name) => !names.includes(name)) || names.join() !== names.toSorted().join()) {
    return xmlError(403, 'AccessDenied', 'There were headers present in the request which were not signed');
  }
  const date = String(request.headers['x-amz-date']);
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  if (!date.startsWith(day) || !(Math.abs(Date.now() - Date.parse(iso)) < MAX_SKEW_MS)) {
    return xmlError(403, 'RequestTimeTooSkewed', 'The difference between the times is too large.');
  }
  const payloadHash = String(request.headers['x-amz-content-sha256']);
  if (payloadHash !== sha256(body)) return xmlError(400, 'XAmzContentSHA256Mismatch', 'The content does not match');

  const [path = '', query = ''] = (request.url ?? '').split('?');
  const canonical = [
    request.method,
    path
      .split('/')
      .map((segment) => encodeSegment(decodeURIComponent(segment)))
      .join('/'),
    canonicalQuery(query),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    payloadHash,
  ].join('\n');
  const scope = `${day}/${REGION}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(Buffer.from(canonical))].join('\n');
  const signingKey = [day, REGION, 's3', 'aws4_request'].reduce<Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    Buffer.from(`AWS4${SECRET_ACCESS_KEY}`),
  );
  const expected = createHmac('sha256', signingKey).update(toSign).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
    ? undefined
    : xmlError(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.');
}

function canonicalQuery(query: string): string {
  const pairs = [...new URLSearchParams(query)].map(
    ([name, value]) => `${encodeSegment(name)}=${encodeSegment(value)}`,
  );
  return pairs.toSorted().join('&');
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function faultAnswer(fault: Extract<S3Fault, { kind: 'status' }>): Answer {
  if (fault.body !== undefined) return { status: fault.status, headers: {}, body: Buffer.from(fault.body) };
  return fault.code === undefined ? empty(fault.status) : xmlError(fault.status, fault.code, 'Injected by the test.');
}

function xmlError(status: number, code: string, message: string): Answer {
  return { ...xml(`<Error><Code>${code}</Code><Message>${message}</Message></Error>`), status };
}

function xml(text: string): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from(`<?xml version="1.0"?>\n${text}`),
  };
}

function empty(status: number, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: Buffer.alloc(0) };
}

/** Objects of tests weigh tens of MB, and each of their parts and reads asks for it. */
const knownEtags = new WeakMap<Buffer, string>();

function etagOf(content: Buffer): string {
  const etag = knownEtags.get(content) ?? `"${createHash('md5').update(content).digest('hex')}"`;
  knownEtags.set(content, etag);
  return etag;
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
