import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';

const HSTS_SECONDS = 365 * 86_400;
const ACCEPTABLE_REQUEST_ID = /^[\w.:-]{1,64}$/;

const instancePrefix = Math.random().toString(36).slice(2, 8);
let requestCounter = 0;

/** The client's `X-Request-ID` when it is usable, otherwise a new one. */
export function newRequestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && ACCEPTABLE_REQUEST_ID.test(sent) ? sent : nextRequestId();
}

export function nextRequestId(): string {
  requestCounter += 1;
  return `req-${instancePrefix}-${requestCounter.toString(36)}`;
}

/**
 * Headers of every response. Few, since each costs 1 us: headers for documents are set where documents are served. HSTS is sent over
 * plain http as well, since a proxy that terminates TLS need not say so, and browsers ignore it there. Without subdomains, which may
 * serve something else.
 */
export function createCommonHeaders(demandsHttps: boolean, isDraining: () => boolean): (reply: FastifyReply) => void {
  const hsts = `max-age=${HSTS_SECONDS}`;
  return (reply) => {
    reply.header('x-request-id', reply.request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    if (isDraining()) reply.header('connection', 'close');
    if (demandsHttps) reply.header('strict-transport-security', hsts);
  };
}
