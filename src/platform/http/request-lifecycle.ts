import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { errorCodes, type FastifyContextConfig, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Admission, AdmittedRequest, Owner } from './admission.ts';
import type { App } from './app.ts';
import { maxValuesOf } from './body-limits.ts';
import type { BodyReader, HeldBody, Sender } from './body-reader.ts';
import { compressAnswer } from './compress-answer.ts';
import { answerUnreadableRequest, TOO_SLOW } from './error-handling.ts';
import type { HttpMetrics } from './http-metrics.ts';
import { parseJsonBody } from './json-body.ts';
import { type Connections, networkOf } from './limit-connections.ts';
import { isEnded } from './linger.ts';
import { badRequest, Problem } from './problem.ts';
import { judgeNames, showIgnoredNames } from './unknown-names.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null when the request was refused before its admission. */
    admission: { admitted: AdmittedRequest; body: HeldBody | undefined } | null;
    /** `routeOptions.config`, read once: the framework builds the options anew on each access. Null before the first hook. */
    routeConfig: FastifyContextConfig | null;
  }
}

export type LifecycleParts = {
  admission: Admission;
  bodies: BodyReader;
  connections: Connections;
  metrics: HttpMetrics;
  setCommonHeaders(reply: FastifyReply): void;
  tenantOf(request: FastifyRequest): string | undefined;
};

/** The limits of a request in the order in which they apply: admission, its body, its owner's share, its response. */
export function installRequestLifecycle(app: App, parts: LifecycleParts): void {
  app.decorateRequest('admission', null);
  app.decorateRequest('routeConfig', null);
  app.decorateRequest('ignoredNames', null);
  app.decorateRequest('itemFaults', null);
  admitRequests(app, parts);
  readBodies(app, parts);
  countForOwners(app, parts);
  releaseAnswered(app, parts);
}

/** One hook for everything that happens when a request arrives: each hook costs a call and a closure. */
function admitRequests(app: App, { admission, connections, metrics, setCommonHeaders }: LifecycleParts): void {
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(reply);
    const startMs = performance.now();
    const { config } = request.routeOptions;
    request.routeConfig = config;
    const { raw } = reply;
    const { socket } = request.raw;
    if (isEnded(socket)) {
      socket.destroy();
      return;
    }
    raw.on('timeout', destroyUnread);
    const invalid = connections.refuse(socket) ?? refuseAddress(request);
    const entry = invalid === undefined ? admission.admit(!config.staysOpen) : { refused: invalid };
    if ('admitted' in entry) request.admission = { admitted: entry.admitted, body: undefined };
    connections.busy(socket);
    // 'close' is emitted exactly once, whether the response was sent or the client disconnected.
    raw.on('close', () => {
      connections.waiting(socket);
      if (request.admission !== null) {
        admission.release(request.admission.admitted);
        request.admission.body?.release();
      }
      if (raw.writableFinished) metrics.record(config, request.method, raw.statusCode, performance.now() - startMs);
    });
    done('refused' in entry ? entry.refused : undefined);
  });
}

function readBodies(app: App, { admission, bodies, connections, tenantOf }: LifecycleParts): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const { bodyLimit, config } = request.routeOptions;
    // Some clients send a content type with every request, also where there is no body: DELETE, or POST .../test.
    const parseJson = (bytes: Buffer) =>
      bytes.length === 0 ? undefined : parseJsonBody(bytes, maxValuesOf(bodyLimit));
    const parse = (bytes: Buffer) => (config.takesRawBody ? bytes : parseJson(bytes));
    readBody(request, payload as IncomingMessage, parse, done);
  });
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.routeOptions.config.takesRawBody) readBody(request, payload as IncomingMessage, (bytes) => bytes, done);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers['content-type']));
  });

  function readBody(
    request: FastifyRequest,
    payload: IncomingMessage,
    parse: (bytes: Buffer) => unknown,
    done: BodyDone,
  ): void {
    if (hasNoContent(request)) {
      parseInto(done, parse, NO_BYTES);
      return;
    }
    const { bodyLimit } = request.routeOptions;
    if (request.admission !== null) admission.suspend(request.admission.admitted);
    connections.waiting(request.raw.socket);
    const body = bodies.read(payload, senderOf(request, tenantOf), bodyLimit, (refused, bytes) => {
      connections.busy(request.raw.socket);
      if (refused !== undefined) done(refused);
      else parseInto(done, parse, bytes);
    });
    if (request.admission !== null) request.admission.body = body;
  }
}

/** The body is complete and the client is authenticated: from here on the request is work. */
function countForOwners(app: App, { admission, bodies, tenantOf }: LifecycleParts): void {
  app.addHook('preValidation', (request, reply, done) => {
    const { routeConfig: config } = request;
    if (request.admission === null || config === null) return done();
    const owner = ownerOf(request, config, tenantOf);
    const refused = admission.resume(request.admission.admitted, owner) ?? judgeNames(request, reply, config);
    // A raw body, which may be a form, was read already.
    const isReadByHandler = !config.takesRawBody && (isForm(request) || isStream(request.body));
    if (refused !== undefined || !isReadByHandler || hasNoContent(request)) return done(refused);
    const watched = bodies.watch(request.raw, senderOf(request, tenantOf), () => abortForm(request, reply));
    if (watched instanceof Problem) return done(watched);
    request.admission.body = watched;
    done();
  });
}

function releaseAnswered(app: App, { admission, tenantOf }: LifecycleParts): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    // Again, since the field names of a form are known only after it was read.
    if (request.ignoredNames !== null) showIgnoredNames(reply, request.ignoredNames);
    // A tenant's stream is produced while it is sent, and counts until its end. An unauthenticated client's is only a file.
    const isReady = !isStream(payload) || tenantOf(request) === undefined;
    if (request.admission !== null && isReady) admission.markAnswered(request.admission.admitted);
    compressAnswer(request, reply, payload, done);
  });
}

type TenantOf = LifecycleParts['tenantOf'];
type BodyDone = (error: Error | null, body?: unknown) => void;

const NO_BYTES = Buffer.alloc(0);

/** Node emits no 'end' for a request without both headers (`optimizeEmptyRequests`), so nothing may wait for it. */
function hasNoContent({ headers }: FastifyRequest): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

function parseInto(done: BodyDone, parse: (bytes: Buffer) => unknown, bytes: Buffer): void {
  let body: unknown;
  try {
    body = parse(bytes);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}

function ownerOf(request: FastifyRequest, { isProbe }: FastifyContextConfig, tenantOf: TenantOf): Owner {
  const tenant = tenantOf(request);
  if (tenant !== undefined) return { tenant };
  return isProbe === true ? 'probe' : 'unauthenticated';
}

function senderOf(request: FastifyRequest, tenantOf: TenantOf): Sender {
  const tenant = tenantOf(request);
  return tenant === undefined ? { address: networkOf(request.ip) } : { tenant };
}

function isStream(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload;
}

function isForm({ method, headers }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && headers['content-type']?.startsWith('multipart/') === true;
}

/** The handler is still reading the form, so the response is written to the socket directly. */
function abortForm(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.headersSent) request.raw.destroy();
  else answerUnreadableRequest(Object.assign(new Error('too slow'), { code: TOO_SLOW }), request.raw.socket);
}

/** 'timeout' is also emitted while a handler works and nothing is sent yet; only unread responses are abandoned. */
function destroyUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

/** No stored key can hold a NUL; PostgreSQL would refuse the statement. HTTP/1.1 demands one Host (RFC 9112, 3.2). */
function refuseAddress(request: FastifyRequest): Problem | undefined {
  const { rawHeaders, httpVersion } = request.raw;
  const hosts = countHosts(rawHeaders);
  if (hosts === 0 && httpVersion === '1.1') return badRequest('The Host header is missing', 'Malformed request');
  // Node keeps the first. A proxy that follows the last would have sent the request to another service.
  if (hosts > 1) return badRequest('The Host header is there more than once', 'Malformed request');
  return request.url.includes('%00') ? badRequest('The address holds a NUL character') : undefined;
}

/** Names at even positions, values at odd ones. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
