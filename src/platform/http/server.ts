import type { ServerOptions } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify';
import type { TrustProxy } from '../config.ts';
import { createAdmission } from './admission.ts';
import type { App } from './app.ts';
import { BODY_LIMIT_BYTES } from './body-limits.ts';
import { type BodyLimits, createBodyReader } from './body-reader.ts';
import { createCommonHeaders, newRequestId } from './common-headers.ts';
import {
  answerUnreadableRequest,
  answerUnroutable,
  installErrorHandling,
  refuseWordsForIds,
  UNKNOWN_EXPECTATION,
} from './error-handling.ts';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.ts';
import { limitConnections } from './limit-connections.ts';
import { installRequestLifecycle } from './request-lifecycle.ts';
import { collectRoutes } from './routes-by-path.ts';
import { compileSerializer } from './serialization.ts';
import { createProxyCheck, type IsProxy } from './trust-proxy.ts';
import { routeNamesOf } from './unknown-names.ts';
import { compileValidator } from './validation.ts';

const HEADERS_WITHIN_MS = 10_000;
/** Node's own interval for overdue headers is 30 s. */
const CHECK_CONNECTIONS_MS = 1_000;
const REQUEST_WITHIN_MS = 120_000;
/** A response of which the client has read nothing for this long is abandoned, and its memory freed. */
const UNREAD_ANSWER_MS = 45_000;
const MAX_CONNECTIONS = 10_000;
/** Requests that have not finished by then are disconnected. */
const DRAIN_MS = 5_000;

export type HttpServer = {
  app: App;
  metrics: HttpMetrics;
  inFlight(): number;
  /** Bytes of request bodies in memory now. */
  bufferedBodyBytes(): number;
  /** From now on every answer closes its connection, so that proxies open the next one to another process. */
  startDraining(): void;
  isDraining(): boolean;
  /** Refuses new requests; those in progress have this long to finish. */
  close(withinMs: number): Promise<void>;
};
export type HttpOptions = {
  log: FastifyBaseLogger;
  trustProxy: TrustProxy;
  maxInFlightRequests: number;
  maxConnectionsPerAddress?: number;
  /** For tests. */
  connectionClosableAfterMs?: number;
  /** Sends HSTS: where PUBLIC_URL is https. */
  demandsHttps?: boolean;
  /** The tenant that a request counts for, once the client is authenticated. */
  tenantOf?: (request: FastifyRequest) => string | undefined;
  /** For tests: time limits in milliseconds rather than seconds. */
  bodyLimits?: Partial<BodyLimits>;
  headersWithinMs?: number;
  unreadAnswerMs?: number;
};

export function createHttpServer(options: HttpOptions): HttpServer {
  const { maxConnectionsPerAddress = 0, tenantOf = () => undefined, demandsHttps = false } = options;
  let isDraining = false;
  const setCommonHeaders = createCommonHeaders(demandsHttps, () => isDraining);
  const isProxy = createProxyCheck(options.trustProxy);
  const app = createApp(options, isProxy, setCommonHeaders);
  const metrics = createHttpMetrics();
  const admission = createAdmission(options.maxInFlightRequests);
  const bodies = createBodyReader(options.bodyLimits);
  const connections = limitConnections(app.server, {
    maxPerAddress: maxConnectionsPerAddress,
    closableAfterMs: options.connectionClosableAfterMs,
    isProxy,
  });
  installRequestLifecycle(app, { admission, bodies, connections, metrics, setCommonHeaders, tenantOf });

  let drainMs = DRAIN_MS;
  app.addHook('preClose', async () => {
    admission.close();
    setTimeout(() => app.server.closeAllConnections(), drainMs).unref();
  });
  app.addHook('onClose', async () => bodies.stop());

  return {
    app,
    metrics,
    inFlight: admission.inFlight,
    bufferedBodyBytes: bodies.bufferedBytes,
    startDraining() {
      isDraining = true;
    },
    isDraining: () => isDraining,
    async close(withinMs) {
      drainMs = Math.min(DRAIN_MS, withinMs);
      await app.close();
    },
  };
}

/**
 * The framework has no logger: with one it makes a child for every request and listens to every response, 6 us of the 80 that
 * `GET /ping` takes, although no line is written per request. Errors are logged where they are answered, with the request's id.
 */
function createApp(options: HttpOptions, isProxy: IsProxy, setCommonHeaders: (reply: FastifyReply) => void): App {
  const app = fastify({
    trustProxy: isProxy,
    bodyLimit: BODY_LIMIT_BYTES.usual,
    genReqId: newRequestId,
    clientErrorHandler: answerUnreadableRequest,
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(reply);
      answerUnroutable(error, request, reply, options.log);
    },
    routerOptions: { maxParamLength: 2_000, ignoreTrailingSlash: true },
    // Admission refuses instead, with the body that every refusal has.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_WITHIN_MS,
    connectionTimeout: options.unreadAnswerMs ?? UNREAD_ANSWER_MS,
    http: {
      headersTimeout: options.headersWithinMs ?? HEADERS_WITHIN_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      // A request without a body has no stream to end, so 'end' and 'close' of the request are not emitted. Those of the response are.
      optimizeEmptyRequests: true,
      // Refused on admission, with the body that every refusal has; Node's own answer has none.
      requireHostHeader: false,
    } as ServerOptions,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.server.maxConnections = MAX_CONNECTIONS;
  app.server.on('checkExpectation', ({ socket }) =>
    answerUnreadableRequest(Object.assign(new Error('unknown expectation'), { code: UNKNOWN_EXPECTATION }), socket),
  );
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  const routes = collectRoutes();
  app.addHook('onRoute', (route) => {
    routes.add(route);
    refuseWordsForIds(route, routes);
    route.config = { ...route.config, names: routeNamesOf(route), accepts: acceptedTypesOf(route.schema?.body) };
  });
  installErrorHandling(app, options.log, routes);
  return app;
}

function acceptedTypesOf(body: unknown): readonly string[] {
  const { content } = (body ?? {}) as { content?: object };
  return content === undefined ? ['application/json'] : Object.keys(content);
}
