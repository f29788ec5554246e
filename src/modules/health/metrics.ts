import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Platform } from '../../platform/platform.ts';
import type { HealthSources } from './sources.ts';
import { DELAY_SAMPLE_MS } from './telemetry.ts';

export type MetricsPage = { read(): Promise<string>; contentType: string };

let processRegistry: Registry | undefined;

/**
 * Figures of the process, once for all services in it. prom-client has no way to end what it starts for them: an observer that every
 * garbage collection calls, and a timer. Made per service, they kept each stopped service of a test worker in memory (7 MB each).
 */
function processFigures(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry, eventLoopMonitoringPrecision: DELAY_SAMPLE_MS });
  }
  return processRegistry;
}

/** The Prometheus page. Figures are read on each scrape, so that other requests have no cost. */
export function createMetricsPage({ jobs }: Platform, sources: HealthSources): MetricsPage {
  const registry = new Registry();
  const ofProcess = processFigures();

  new Counter({
    name: 'dukkan_http_requests_total',
    help: 'Requests answered, by route',
    labelNames: ['method', 'route'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { method, route, requests } of sources.http.routes()) this.inc({ method, route }, requests);
    },
  });
  new Counter({
    name: 'dukkan_http_errors_total',
    help: 'Requests answered with 5xx, by route',
    labelNames: ['method', 'route'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { method, route, errors } of sources.http.routes()) this.inc({ method, route }, errors);
    },
  });
  new Gauge({
    name: 'dukkan_http_request_ms',
    help: 'Request duration quantiles since start, by route',
    labelNames: ['method', 'route', 'quantile'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { method, route, p50_ms, p95_ms, p99_ms } of sources.http.routes()) {
        this.set({ method, route, quantile: '0.5' }, p50_ms);
        this.set({ method, route, quantile: '0.95' }, p95_ms);
        this.set({ method, route, quantile: '0.99' }, p99_ms);
      }
    },
  });
  new Gauge({
    name: 'dukkan_http_in_flight',
    help: 'Requests being answered now',
    registers: [registry],
    collect() {
      this.set(sources.inFlight());
    },
  });
  new Gauge({
    name: 'dukkan_http_buffered_body_bytes',
    help: 'Bytes of request bodies held in memory now',
    registers: [registry],
    collect() {
      this.set(sources.bufferedBodyBytes());
    },
  });
  new Gauge({
    name: 'dukkan_jobs',
    help: 'Background work, by queue and state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, queued, active, failed } of await jobs.figures()) {
        this.set({ queue: name, state: 'queued' }, queued);
        this.set({ queue: name, state: 'active' }, active);
        this.set({ queue: name, state: 'failed' }, failed);
      }
    },
  });
  new Gauge({
    name: 'dukkan_follower',
    help: 'How far behind the publisher and followers of events are, and what they have left aside, by measure',
    labelNames: ['follower', 'measure'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name: follower, events_behind, seconds_behind, dead_lettered } of await sources.followers()) {
        this.set({ follower, measure: 'events_behind' }, events_behind);
        this.set({ follower, measure: 'seconds_behind' }, seconds_behind);
        this.set({ follower, measure: 'dead_lettered' }, dead_lettered);
      }
    },
  });
  new Gauge({
    name: 'dukkan_section',
    help: 'Numeric figures of the other parts, by section and name',
    labelNames: ['section', 'name'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [section, figures] of sources.sections) {
        for (const [name, value] of Object.entries(await figures())) {
          if (typeof value === 'number') this.set({ section, name }, value);
        }
      }
    },
  });
  return {
    read: async () => `${await ofProcess.metrics()}\n${await registry.metrics()}`,
    contentType: registry.contentType,
  };
}
