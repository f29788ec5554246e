import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { errorCodes, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify';
import type { TrustProxy } from '../config.ts';
import type { App } from './app.ts';
import { createBodyIntake, type HeldBody, type IntakeLimits, type Sender } from './body-intake.ts';
import { BODY_LIMIT_BYTES, maxValuesOf } from './body-limits.ts';
import { limitConnections, networkOf } from './connections.ts';
import { createDoorman, type Visit } from './doorman.ts';
import { answerUnreadableRequest, answerUnroutable, installErrorHandling, TOO_SLOW } from './error-handling.ts';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.ts';
import { parseJsonBody } from './json-body.ts';
import { isEnded } from './linger.ts';
import { badRequest, Problem } from './problem.ts';
import { collectRoutes } from './routes-by-path.ts';
import { compileSerializer } from './serialization.ts';
import { createProxyCheck } from './trust-proxy.ts';
import { judgeNames, routeNamesOf, showIgnoredNames } from './unknown-names.ts';
import { compileValidator } from './validation.ts';

const HEADERS_WITHIN_MS = 10_000;
/** Node looks for overdue headers this seldom by itself: every 30 s. */
const CHECK_CONNECTIONS_MS = 1_000;
const REQUEST_WITHIN_MS = 120_000;
/** An answer of which nobody has fetched a byte for so long is given up, and its memory with it. */
const UNREAD_ANSWER_MS = 45_000;
const MAX_CONNECTIONS = 10_000;
const HSTS_SECONDS = 365 * 86_400;
/** What has not finished by then is cut. */
const DRAIN_MS = 5_000;

export type HttpServer = {
  app: App;
  metrics: HttpMetrics;
  inFlight(): number;
  /** Bytes of request bodies in memory now. */
  bufferedBodyBytes(): number;
  /** Takes nothing new, and what is in progress has this long to finish. */
  close(withinMs: number): Promise<void>;
};
export type HttpOptions = {
  log: FastifyBaseLogger;
  trustProxy: TrustProxy;
  maxInFlightRequests: number;
  maxConnectionsPerAddress?: number;
  /** Where PUBLIC_URL is https: browsers that were here once come by https alone. */
  demandsHttps?: boolean;
  /** The tenant that a request counts for, once it is known who asks. */
  tenantOf?: (request: FastifyRequest) => string | undefined;
  /** For tests: patience in milliseconds rather than seconds. */
  intake?: Partial<IntakeLimits>;
  headersWithinMs?: number;
  unreadAnswerMs?: number;
};

type Passage = { visit: Visit; body: HeldBody | undefined };

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent when the request was turned away at the door. */
    passage: Passage | null;
  }
}

/**
 * The framework has no logger: with one it makes a child for every request and listens to every answer, 6 us of the 80
 * that `GET /ping` takes, though a line a request would not be written anyway. What goes wrong is logged by whoever
 * answers it, with the request's id.
 */
export function createHttpServer(options: HttpOptions): HttpServer {
  const { maxConnectionsPerAddress = 0, tenantOf = () => undefined, demandsHttps = false } = options;
  const commonHeaders = createCommonHeaders(demandsHttps);
  const isProxy = createProxyCheck(options.trustProxy);
  const app = fastify({
    trustProxy: isProxy,
    bodyLimit: BODY_LIMIT_BYTES.usual,
    genReqId: newRequestId,
    clientErrorHandler: answerUnreadableRequest,
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders(request.id));
      answerUnroutable(error, request, reply, options.log);
    },
    routerOptions: { maxParamLength: 2_000, ignoreTrailingSlash: true },
    // Refused below instead, in the body that every refusal has.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_WITHIN_MS,
    connectionTimeout: options.unreadAnswerMs ?? UNREAD_ANSWER_MS,
    http: {
      headersTimeout: options.headersWithinMs ?? HEADERS_WITHIN_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.server.maxConnections = MAX_CONNECTIONS;

  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  const routes = collectRoutes();
  app.addHook('onRoute', (route) => {
    routes.add(route);
    route.config = { ...route.config, names: routeNamesOf(route), accepts: acceptedTypesOf(route.schema?.body) };
  });
  installErrorHandling(app, options.log, routes);
  const metrics = createHttpMetrics();
  const doorman = createDoorman(options.maxInFlightRequests);
  const intake = createBodyIntake(options.intake);
  const connections = limitConnections(app.server, { maxPerAddress: maxConnectionsPerAddress, isProxy });
  let drainMs = DRAIN_MS;

  app.decorateRequest('passage', null);
  app.decorateRequest('ignoredNames', null);
  app.decorateRequest('itemFaults', null);
  // One hook for all that happens to every request as it comes: each costs a call and a closure of its own.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id));
    const startMs = performance.now();
    // Read once: the framework puts it together anew each time it is asked.
    const { config } = request.routeOptions;
    const { raw } = reply;
    const { socket } = request.raw;
    if (isEnded(socket)) {
      socket.destroy();
      return;
    }
    raw.on('timeout', giveUpUnread);
    const unusable = refuseAddress(request);
    const entry = unusable === undefined ? doorman.enter(!config.staysOpen) : { refused: unusable };
    if ('visit' in entry) request.passage = { visit: entry.visit, body: undefined };
    connections.busy(socket);
    // 'close' comes exactly once, whether the answer was sent or the client went away.
    raw.on('close', () => {
      connections.waiting(socket);
      if (request.passage !== null) {
        doorman.leave(request.passage.visit);
        request.passage.body?.release();
      }
      if (raw.writableFinished) metrics.record(config, request.method, raw.statusCode, performance.now() - startMs);
    });
    done('refused' in entry ? entry.refused : undefined);
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const { bodyLimit, config } = request.routeOptions;
    const parse = (bytes: Buffer) => (config.takesRawBody ? bytes : parseJsonBody(bytes, maxValuesOf(bodyLimit)));
    receiveBody(request, payload as IncomingMessage, parse, done);
  });
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.routeOptions.config.takesRawBody)
      receiveBody(request, payload as IncomingMessage, (bytes) => bytes, done);
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers['content-type']));
  });

  function receiveBody(
    request: FastifyRequest,
    payload: IncomingMessage,
    parse: (bytes: Buffer) => unknown,
    done: (error: Error | null, body?: unknown) => void,
  ): void {
    const limitBytes = request.routeOptions.bodyLimit;
    const { passage } = request;
    if (passage !== null) doorman.stepOut(passage.visit);
    connections.waiting(request.raw.socket);
    const body = intake.receive(payload, senderOf(request), limitBytes, (refused, bytes) => {
      connections.busy(request.raw.socket);
      if (refused !== undefined) return done(refused);
      try {
        done(null, parse(bytes));
      } catch (error) {
        done(error as Error);
      }
    });
    if (passage !== null) passage.body = body;
  }

  // The body is there, the gate has said who asks: from here on it is work.
  app.addHook('preValidation', (request, reply, done) => {
    const { passage } = request;
    if (passage === null) return done();
    const tenant = tenantOf(request);
    const { config } = request.routeOptions;
    const owner = tenant !== undefined ? { tenant } : config.isProbe === true ? 'nobody' : 'strangers';
    const refused = doorman.begin(passage.visit, owner) ?? judgeNames(request, reply, config);
    // Where bytes are taken as they come, a form has come already.
    const isReadByHandler = !config.takesRawBody && (isForm(request) || isStream(request.body));
    if (refused !== undefined || !isReadByHandler) return done(refused);
    const watched = intake.watch(request.raw, senderOf(request), () => cutOffForm(request, reply));
    if (watched instanceof Problem) return done(watched);
    passage.body = watched;
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    // Once more: of a form the names are known only after it was read.
    if (request.ignoredNames !== null) showIgnoredNames(reply, request.ignoredNames);
    // What a tenant is sent as a stream is still being made, and counts until its end; a stranger's is only a file.
    const isReady = !isStream(payload) || tenantOf(request) === undefined;
    if (request.passage !== null && isReady) doorman.answered(request.passage.visit);
    done(null, payload);
  });

  app.addHook('preClose', async () => {
    doorman.close();
    setTimeout(() => app.server.closeAllConnections(), drainMs).unref();
  });
  app.addHook('onClose', async () => intake.stop());

  function senderOf(request: FastifyRequest): Sender {
    const tenant = tenantOf(request);
    return tenant === undefined ? { address: networkOf(request.ip) } : { tenant };
  }

  return {
    app,
    metrics,
    inFlight: doorman.inFlight,
    bufferedBodyBytes: intake.bufferedBytes,
    async close(withinMs) {
      drainMs = Math.min(DRAIN_MS, withinMs);
      await app.close();
    },
  };
}

function acceptedTypesOf(body: unknown): readonly string[] {
  const { content } = (body ?? {}) as { content?: object };
  return content === undefined ? ['application/json'] : Object.keys(content);
}

function isStream(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload;
}

function isForm({ method, headers }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && headers['content-type']?.startsWith('multipart/') === true;
}

/** Its handler is in the middle of reading, so the answer is written past it. */
function cutOffForm(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.raw.headersSent) request.raw.destroy();
  else answerUnreadableRequest(Object.assign(new Error('too slow'), { code: TOO_SLOW }), request.raw.socket);
}

/** Also comes while a handler is at work and nothing is sent yet; only what lies there unfetched is given up. */
function giveUpUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

const instancePrefix = Math.random().toString(36).slice(2, 8);
let requestCounter = 0;
const ACCEPTABLE_REQUEST_ID = /^[\w.:-]{1,64}$/;

function newRequestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  if (typeof given === 'string' && ACCEPTABLE_REQUEST_ID.test(given)) return given;
  requestCounter += 1;
  return `req-${instancePrefix}-${requestCounter.toString(36)}`;
}

/**
 * Few, since each costs 1 us of an answer: what speaks to documents is set where documents are. HSTS is sent whatever the
 * request came by, since a proxy that ends TLS need not say so; browsers ignore it over plain http. Without subdomains,
 * which may serve something else.
 */
function createCommonHeaders(demandsHttps: boolean): (requestId: string) => Record<string, string> {
  const same = {
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(demandsHttps && { 'strict-transport-security': `max-age=${HSTS_SECONDS}` }),
  };
  return (requestId) => ({ 'x-request-id': requestId, ...same });
}

/** A NUL cannot be part of any stored key; PostgreSQL would refuse the statement. */
function refuseAddress(request: FastifyRequest): Problem | undefined {
  return request.url.includes('%00') ? badRequest('The address holds a NUL character') : undefined;
}
