import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { App } from './app.ts';

export type RouteFigures = {
  method: string;
  route: string;
  requests: number;
  errors: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
};

type RouteRecord = {
  method: string;
  route: string;
  requests: number;
  errors: number;
  durationsUs: RecordableHistogram;
};

export type HttpMetrics = { routes(): RouteFigures[]; totals(): { requests: number; errors: number } };

/** Native HDR histograms, one a route: recording costs well under a microsecond, quantiles are read on demand. */
export function recordHttpMetrics(app: App): HttpMetrics {
  const records = new Map<string, RouteRecord>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const key = `${request.method} ${route}`;
    let record = records.get(key);
    if (record === undefined) {
      record = { method: request.method, route, requests: 0, errors: 0, durationsUs: createHistogram() };
      records.set(key, record);
    }
    record.requests += 1;
    if (reply.statusCode >= 500) record.errors += 1;
    record.durationsUs.record(Math.max(1, Math.round(reply.elapsedTime * 1000)));
    done();
  });

  const ms = (us: number) => Math.round(us) / 1000;
  return {
    totals() {
      let requests = 0;
      let errors = 0;
      for (const record of records.values()) {
        requests += record.requests;
        errors += record.errors;
      }
      return { requests, errors };
    },
    routes: () =>
      [...records.values()].map(({ method, route, requests, errors, durationsUs }) => ({
        method,
        route,
        requests,
        errors,
        p50_ms: ms(durationsUs.percentile(50)),
        p95_ms: ms(durationsUs.percentile(95)),
        p99_ms: ms(durationsUs.percentile(99)),
      })),
  };
}
