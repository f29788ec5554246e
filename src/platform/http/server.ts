import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { App } from './app.ts';
import { answerUnreadableRequest, answerUnroutable, installErrorHandling } from './error-handling.ts';
import { parseJsonBody } from './json-body.ts';
import { installOverloadProtection } from './overload.ts';
import { badRequest, unavailable } from './problem.ts';
import { compileValidator } from './validation.ts';

const JSON_BODY_LIMIT_BYTES = 32 * 1024 * 1024;
const HEADERS_TIMEOUT_MS = 30_000;
const SHUTDOWN_GRACE_MS = 6_000;

export type HttpServer = { app: App; inFlight(): number };
export type HttpOptions = { log: FastifyBaseLogger; trustProxy: boolean; maxInFlightRequests: number };

export function createHttpServer(options: HttpOptions): HttpServer {
  const app = fastify({
    loggerInstance: options.log,
    // A line per request costs more than the request itself at full load; errors are logged with their id.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit: JSON_BODY_LIMIT_BYTES,
    genReqId: newRequestId,
    clientErrorHandler: answerUnreadableRequest,
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders(request));
      answerUnroutable(error, request, reply);
    },
    routerOptions: { maxParamLength: 2_000, ignoreTrailingSlash: true },
    // Refused below instead, in the body that every refusal has.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 120_000,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(compileValidator);
  installErrorHandling(app);
  installContentTypes(app);
  app.addHook('onRequest', setCommonHeaders);
  const { inFlight } = installOverloadProtection(app, options.maxInFlightRequests);
  refuseWhileClosing(app);
  return { app, inFlight };
}

function refuseWhileClosing(app: App): void {
  let closing = false;
  app.addHook('onRequest', (_request, _reply, done) => {
    if (closing) done(unavailable('The service is stopping'));
    else done();
  });
  app.addHook('preClose', async () => {
    closing = true;
    // What has not finished by then is cut, so that the process is gone within ten seconds.
    setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_GRACE_MS).unref();
  });
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

function commonHeaders(request: FastifyRequest): Record<string, string> {
  return {
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  reply.headers(commonHeaders(request));
  // A NUL cannot be part of any stored key; PostgreSQL would refuse the statement.
  if (request.url.includes('%00')) done(badRequest('The address holds a NUL character'));
  else done();
}
