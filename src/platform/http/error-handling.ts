import type { Socket } from 'node:net';
import type { ErrorObject } from 'ajv';
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions,
} from 'fastify';
import { TenantQueueFull } from '../database/connection-limiter.ts';
import { classifyDatabaseError } from '../database/errors.ts';
import type { App } from './app.ts';
import { nextRequestId } from './common-headers.ts';
import { discardBody } from './discard-body.ts';
import { destroyLater, lingerWhenClosed } from './linger.ts';
import {
  badRequest,
  notFound,
  Problem,
  problemBody,
  tooLarge,
  tooManyRequests,
  unavailable,
  unprocessable,
} from './problem.ts';
import { reasonOf } from './reason.ts';
import { hasId, type RoutesByPath } from './routes-by-path.ts';
import { fieldErrors } from './validation.ts';

const API_PREFIX = '/api/v1';
const REASON_HEADER = 'x-error-reason';
const RETRY_AFTER_MS = 1_000;

export function installErrorHandling(app: App, log: FastifyBaseLogger, routes: RoutesByPath): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = toProblem(error, request, log);
    // The framework also reads the body of an unknown path: what is wrong with it matters less than the path. Before its admission
    // a request is refused for its address.
    const isMissed = request.is404 && request.admission !== null && problem.status === 400;
    const missed = () => missedRoute(request, routes.methodsOf(pathOf(request)), routes);
    return sendProblem(isMissed ? missed() : problem, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    const methods = routes.methodsOf(pathOf(request));
    // OPTIONS on a known path is not an error.
    if (request.method === 'OPTIONS' && methods.length > 0) {
      return reply.code(204).header('allow', methods.join(', ')).send();
    }
    return sendProblem(missedRoute(request, methods, routes), request, reply);
  });
}

/** For routes with an `:id`: `PUT /orders/changes` is no order of that id, but a path with other methods. */
export function refuseWordsForIds(route: RouteOptions, routes: RoutesByPath): void {
  if (!hasId(route.url)) return;
  const check: onRequestHookHandler = (request, _reply, done) => {
    const path = pathOf(request);
    done(routes.isWord(path) ? missedRoute(request, routes.methodsOf(path), routes) : undefined);
  };
  route.onRequest = [check, ...[route.onRequest ?? []].flat()];
}

/** A URL that cannot be decoded, or with a parameter that is too long for any key. */
export function answerUnroutable(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  log: FastifyBaseLogger,
): void {
  sendProblem(
    error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? noSuchRoute(request) : toProblem(error, request, log),
    request,
    reply,
  );
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

function noSuchRoute(request: FastifyRequest, more: { methods?: string[]; hint?: string } = {}): Problem {
  return notFound('Not found', { method: request.method, path: pathOf(request), ...more });
}

/** Suggests the methods of the same path, or the missing prefix. */
function missedRoute(request: FastifyRequest, methods: string[], routes: RoutesByPath): Problem {
  if (methods.length > 0) {
    const { message, status, details } = noSuchRoute(request, { methods });
    return new Problem(status, message, details, { allow: methods.join(', ') });
  }
  const path = pathOf(request);
  const asksForPage = request.headers.accept?.includes('text/html') === true;
  if (asksForPage || path === API_PREFIX || path.startsWith(`${API_PREFIX}/`)) return noSuchRoute(request);
  const meant = API_PREFIX + path.replace(/^(?:\/api)?(?:\/v\d+)?(?=\/|$)/, '');
  const isKnown = routes.methodsOf(meant).length > 0;
  return noSuchRoute(request, {
    hint: `Every path of the API starts with ${API_PREFIX}${isKnown ? `: did you mean ${meant}?` : ''}`,
  });
}

/** Node's error code for a request that was not complete in time. */
export const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** An `Expect` header other than `100-continue`. Node would answer it without a body. */
export const UNKNOWN_EXPECTATION = 'unknown-expectation';

/** A request that Node's parser refuses never reaches the framework; the response is written to the socket. */
export function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'Request headers too large']
      : error.code === TOO_SLOW
        ? ['408 Request Timeout', 'Request timeout']
        : error.code === UNKNOWN_EXPECTATION
          ? ['417 Expectation Failed', 'Expectation failed']
          : ['400 Bad Request', 'Malformed request'];
  const body = JSON.stringify({ code: Number(status.slice(0, 3)), error: message, details: {} });
  const headers = [
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    `X-Request-ID: ${nextRequestId()}`,
    `${REASON_HEADER}: ${reasonOf(message)}`,
    'Connection: close',
  ];
  socket.end(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  destroyLater(socket);
}

function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!request.raw.complete) {
    lingerWhenClosed(request.raw.socket);
    discardBody(request.raw);
  }
  reply.code(problem.status).headers(problem.headers).header(REASON_HEADER, problem.reason);
  const body =
    request.routeOptions.config?.errorStyle === 'lead'
      ? { data: null, message: problem.message, status: problem.status }
      : problemBody(problem);
  // Serialised without the route's response schemas: refusals have the same shape on every route.
  return reply.header('content-type', 'application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}

function toProblem(error: FastifyError | Problem, request: FastifyRequest, log: FastifyBaseLogger): Problem {
  if (error instanceof Problem) {
    if (error.cause !== undefined) log.error({ err: error.cause, reqId: request.id }, error.message);
    return error;
  }
  // Any value may be thrown; only errors have properties to inspect.
  const refused = error instanceof Error ? clientFault(error, request) : undefined;
  if (refused) return refused;

  const fault = classifyDatabaseError(error);
  if (fault.kind === 'unavailable') {
    log.error({ err: error, reqId: request.id }, 'database unavailable');
    return unavailable('The database cannot be reached').named('database-unavailable');
  }
  // Not in the log, which a tenant that floods its own queue would fill too: 1,267 lines with stacks in ten seconds.
  if (error instanceof TenantQueueFull) return tooManyRequests(error.limit, RETRY_AFTER_MS);
  if (fault.kind === 'busy') {
    log.warn({ err: error, reqId: request.id }, 'database busy');
    return unavailable('The database is busy, try again').named('busy');
  }
  if (fault.kind === 'unusable-value') {
    // Validation should have caught it: the response says so, and the log shows where a rule is missing.
    log.warn({ err: error, reqId: request.id }, 'value refused by the database');
    return unprocessable('A value cannot be stored');
  }
  if (fault.kind === 'retry') {
    log.warn({ err: error, reqId: request.id }, 'transaction collided with another');
    return unavailable('The write collided with another one, try again').named('busy');
  }
  log.error({ err: error, reqId: request.id }, 'internal error');
  return new Problem(500, 'Internal error', { request_id: request.id });
}

function clientFault(error: FastifyError, request: FastifyRequest): Problem | undefined {
  // A download that the client abandoned: the response reaches no one, and the log has no error of ours to show.
  if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' && request.raw.socket.destroyed) {
    return badRequest('The connection was closed before the response was complete', 'Malformed request');
  }
  return error.validation ? invalidInput(error, request) : frameworkRefusal(error, request);
}

function invalidInput(error: FastifyError, request: FastifyRequest): Problem {
  const details = fieldErrors((error.validation ?? []) as unknown as ErrorObject[]);
  if (error.validationContext !== 'body') return badRequest(details, 'Invalid request parameters');
  if (request.body === undefined && request.headers['content-type'] !== undefined) return emptyBody();
  if (request.body === undefined || request.body === null) return badRequest('A JSON request body is required');
  const status = request.routeOptions.config.invalidBodyStatus ?? 422;
  return status === 400 ? badRequest(details, 'Validation failed') : unprocessable(details);
}

const emptyBody = () => badRequest('The request body is empty', 'Malformed JSON');

function frameworkRefusal(error: FastifyError, request: FastifyRequest): Problem | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge('The request body is too large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return wrongContentType(request);
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return emptyBody();
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return badRequest('Content-Length does not match the body', 'Malformed request');
    case 'FST_ERR_BAD_URL':
      return badRequest('The address is not valid', 'Malformed request');
  }
  // Other client errors of the framework, such as an aborted body or a URL that is too long.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Problem(error.statusCode, error.message, {}).named('malformed-request');
  }
  return undefined;
}

function wrongContentType(request: FastifyRequest): Problem {
  const { accepts = ['application/json'] } = request.routeOptions.config ?? {};
  const sent = request.headers['content-type'];
  // Truncated: the client's text may be as long as a header.
  const what = sent === undefined ? 'There is no content type' : `${sent.slice(0, 100)} is not taken here`;
  return badRequest(`${what}: send ${accepts.join(' or ')}`, 'Wrong content type');
}
