import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger, type FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import { createDoorman } from './doorman.ts';
import { answerUnreadableRequest, answerUnroutable, installErrorHandling } from './error-handling.ts';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.ts';
import { parseJsonBody } from './json-body.ts';
import { badRequest, type Problem } from './problem.ts';
import { compileValidator } from './validation.ts';

const JSON_BODY_LIMIT_BYTES = 32 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 30_000;
const SHUTDOWN_GRACE_MS = 6_000;

export type HttpServer = { app: App; metrics: HttpMetrics; inFlight(): number };
export type HttpOptions = { log: FastifyBaseLogger; trustProxy: boolean; maxInFlightRequests: number };

/**
 * The framework has no logger: with one it makes a child for every request and listens to every answer, 6 us of the 80
 * that `GET /ping` takes, though a line a request would not be written anyway. What goes wrong is logged by whoever
 * answers it, with the request's id.
 */
export function createHttpServer(options: HttpOptions): HttpServer {
  const app = fastify({
    trustProxy: options.trustProxy,
    bodyLimit: JSON_BODY_LIMIT_BYTES,
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
    requestTimeout: 120_000,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(compileValidator);
  installErrorHandling(app, options.log);
  installContentTypes(app);
  const metrics = createHttpMetrics();
  const doorman = createDoorman(options.maxInFlightRequests);
  // One hook for all that happens to every request: each costs a call and a closure of its own.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request.id));
    const startMs = performance.now();
    // Read once: the framework puts it together anew each time it is asked.
    const { config } = request.routeOptions;
    const isCounted = !config.staysOpen;
    const refused = refuseAddress(request) ?? doorman.enter(isCounted);
    // 'close' comes exactly once, whether the answer was sent or the client went away.
    reply.raw.on('close', () => {
      if (refused === undefined) doorman.leave(isCounted);
      const { writableFinished, statusCode } = reply.raw;
      if (writableFinished) metrics.record(config, request.method, statusCode, performance.now() - startMs);
    });
    done(refused);
  });
  app.addHook('preClose', async () => {
    doorman.close();
    // What has not finished by then is cut, so that the process is gone within ten seconds.
    setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS).unref();
  });
  return { app, metrics, inFlight: doorman.inFlight };
}

function installContentTypes(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
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

/** Few, since each costs 1 us of an answer: what speaks to documents is set where documents are. */
function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

/** A NUL cannot be part of any stored key; PostgreSQL would refuse the statement. */
function refuseAddress(request: FastifyRequest): Problem | undefined {
  return request.url.includes('%00') ? badRequest('The address holds a NUL character') : undefined;
}
