import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../http/app.ts';
import type { Span } from './span.ts';
import { endSpan, parseTraceParent, runInSpan, SPAN_KIND, startSpan } from './tracing.ts';

/** A span for each request, the child of the caller's `traceparent`. Installed only when tracing is on. */
export function traceRequests(app: App): void {
  const running = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const span = startSpan(
      `${request.method} ${route}`,
      SPAN_KIND.server,
      { 'http.request.method': request.method, 'http.route': route, 'dukkan.request_id': request.id },
      parseTraceParent(request.headers.traceparent),
    );
    if (span !== undefined) running.set(request, span);
    runInSpan(span, done);
  });
  const end = (request: FastifyRequest, statusCode: number, error?: string) => {
    const span = running.get(request);
    if (span === undefined) return;
    running.delete(request);
    span.attributes['http.response.status_code'] = statusCode;
    endSpan(span, error ?? (statusCode >= 500 ? `answered ${statusCode}` : undefined));
  };
  app.addHook('onResponse', (request, reply: FastifyReply, done) => {
    end(request, reply.statusCode);
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    end(request, 499, 'the client has disconnected');
    done();
  });
}
