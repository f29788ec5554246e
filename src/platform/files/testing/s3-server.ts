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
  | { kind: 'stall' };

export type S3TestServer = {
  endpoint: string;
  settings: { endpoint: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string };
  objects: Map<string, { content: Buffer; contentType: string; lastModified: Date }>;
  /** `METHOD path -> status`, in order of arrival; status 0 when cut off. */
  log: string[];
  faults: S3Fault[];
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

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const entry = log.push(`${request.method} ${request.url} -> 0`) - 1;
    const note = (status: number) => {
      log[entry] = `${request.method} ${request.url} -> ${status}`;
    };

    const fault = faults.shift();
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'reset') return request.socket.destroy();
    if (fault?.kind === 'endless-error') {
      response.writeHead(400);
      return pipeline(endlessText, response).catch(() => {});
    }
    const answer = fault?.kind === 'status' ? faultAnswer(fault) : serve(request, body, objects);
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

  return {
    endpoint,
    settings: {
      endpoint,
      region: REGION,
      bucket: BUCKET,
      accessKeyId: ACCESS_KEY_ID,
      secretAccessKey: SECRET_ACCESS_KEY,
    },
    objects,
    log,
    faults,
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
}

function* endlessText(): Generator<string> {
  for (;;) yield 'no end in sight '.repeat(1000);
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer };

function serve(request: http.IncomingMessage, body: Buffer, objects: S3TestServer['objects']): Answer {
  const refused = refuseSignature(request, body);
  if (refused !== undefined) return refused;
  const [, bucket, ...rest] = (request.url ?? '').split('/');
  const key = decodeURIComponent(rest.join('/'));
  if (bucket !== BUCKET) return xmlError(404, 'NoSuchBucket', 'The specified bucket does not exist');
  if (key === '') return request.method === 'HEAD' ? empty(200) : xmlError(405, 'MethodNotAllowed', 'Not here');

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
      if (found === undefined) return xmlError(404, 'NoSuchKey', 'The specified key does not exist.');
      return {
        status: 200,
        headers: {
          etag: etagOf(found.content),
          'content-type': found.contentType,
          'last-modified': found.lastModified.toUTCString(),
        },
        body: found.content,
      };
    default:
      return xmlError(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.');
  }
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
    path.split('/').map(encodeSegment).join('/'),
    query,
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

function encodeSegment(segment: string): string {
  return encodeURIComponent(decodeURIComponent(segment)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function faultAnswer(fault: Extract<S3Fault, { kind: 'status' }>): Answer {
  if (fault.body !== undefined) return { status: fault.status, headers: {}, body: Buffer.from(fault.body) };
  return fault.code === undefined ? empty(fault.status) : xmlError(fault.status, fault.code, 'Injected by the test.');
}

function xmlError(status: number, code: string, message: string): Answer {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body: Buffer.from(xml) };
}

function empty(status: number, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: Buffer.alloc(0) };
}

function etagOf(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`;
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
