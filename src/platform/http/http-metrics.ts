import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { FastifyRequest } from 'fastify';

type RouteConfig = FastifyRequest['routeOptions']['config'];

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

export type HttpMetrics = {
  record(route: RouteConfig, method: string, statusCode: number, durationMs: number): void;
  routes(): RouteFigures[];
  totals(): { requests: number; errors: number };
};

function newRecord(method: string, route: string): RouteRecord {
  return { method, route, requests: 0, errors: 0, durationsUs: createHistogram() };
}

/** Native HDR histograms, one a route: recording costs well under a microsecond, quantiles are read on demand. */
export function createHttpMetrics(): HttpMetrics {
  const records = new Map<string, RouteRecord>();
  // Looked up by the route's config object: building a string key for each request costs more than recording.
  const recordByRoute = new WeakMap<object, Map<string, RouteRecord>>();

  function recordOf(config: RouteConfig, method: string): RouteRecord {
    let byMethod = recordByRoute.get(config);
    if (byMethod === undefined) {
      byMethod = new Map();
      recordByRoute.set(config, byMethod);
    }
    let record = byMethod.get(method);
    if (record === undefined) {
      const route = config.url ?? 'unknown';
      const key = `${method} ${route}`;
      record = records.get(key) ?? newRecord(method, route);
      records.set(key, record);
      byMethod.set(method, record);
    }
    return record;
  }

  const ms = (us: number) => Math.round(us) / 1000;
  return {
    record(config, method, statusCode, durationMs) {
      const record = recordOf(config, method);
      record.requests += 1;
      if (statusCode >= 500) record.errors += 1;
      record.durationsUs.record(Math.max(1, Math.round(durationMs * 1000)));
    },
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
