import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../../platform/config.ts';
import { API_VERSION } from '../../platform/http/openapi.ts';
import { notFound, Problem, problemBody, unauthorized } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { carriesToken } from './carries-token.ts';
import { createHealthCheck } from './check-health.ts';
import type { MetricsPage } from './metrics.ts';
import { createWorkReport } from './report-work.ts';
import type { HealthSettings } from './settings.ts';
import type { HealthSources } from './sources.ts';

export type MetricsServer = {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Empty while it does not listen. */
  url(): string;
};

const MAX_CONNECTIONS = 64;
const WITHIN_MS = 10_000;

type Answer = { status: number; contentType: string; body: string; headers?: Record<string, string> };

/**
 * Metrics and health of this process on its own port, so that a scraper bypasses the proxy before the API, and a process
 * without the API has them too. Plain node:http, so that it answers when the rest of the service does not.
 */
export function createMetricsServer(
  platform: Platform,
  settings: HealthSettings,
  page: MetricsPage,
  sources: Pick<HealthSources, 'followers' | 'isDraining'>,
): MetricsServer {
  const { metricsPort, metricsHost, metricsToken } = settings;
  const checkHealth = createHealthCheck(platform.sql, sources);
  const reportWork = createWorkReport(platform, sources);
  const isTrusted = ({ headers }: IncomingMessage) =>
    metricsToken === undefined || carriesToken(headers.authorization, metricsToken);
  let server: Server | undefined;

  async function answer(request: IncomingMessage): Promise<Answer> {
    const path = request.url?.split('?')[0] ?? '';
    if (request.method !== 'GET' && request.method !== 'HEAD') throw notFound('Not found', {});
    if (path === '/metrics') {
      if (!isTrusted(request)) throw unauthorized('Metrics take METRICS_TOKEN as the bearer');
      return { status: 200, contentType: page.contentType, body: await page.read() };
    }
    if (path !== '/health') throw notFound('Not found', {});
    const { status, reason, databaseMs } = await checkHealth();
    if (status === 'unhealthy') throw new Problem(503, 'Service unhealthy', { status, reason });
    const { environment, roles } = platform.config;
    const timestamp = platform.clock.now().toISOString();
    const brief = { status, version: API_VERSION, environment, roles: [...roles], timestamp };
    if (!isTrusted(request)) return json(200, brief);
    return json(200, { ...brief, reason, database: { answered_in_ms: databaseMs }, ...(await reportWork()) });
  }

  function refuse(error: unknown): Answer {
    if (error instanceof Problem) {
      const headers = { ...error.headers, 'x-error-reason': error.reason };
      return { ...json(error.status, problemBody(error)), headers };
    }
    platform.log.error({ err: error }, 'metrics could not be read');
    return json(503, { code: 503, error: 'Service unavailable', details: 'The figures cannot be read' });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, contentType, body, headers } = await answer(request).catch(refuse);
    response.writeHead(status, { ...headers, 'content-type': contentType, 'cache-control': 'no-store' });
    response.end(body);
  }

  return {
    async start() {
      if (metricsPort === undefined) return;
      server = createServer(
        { headersTimeout: WITHIN_MS, requestTimeout: WITHIN_MS, connectionsCheckingInterval: 1_000 },
        (request, response) => void serve(request, response),
      );
      server.maxConnections = MAX_CONNECTIONS;
      server.timeout = WITHIN_MS;
      server.listen(metricsPort, metricsHost);
      try {
        await once(server, 'listening');
      } catch (error) {
        server = undefined;
        if (!settings.metricsPortIsDefault) throw explainMetricsPort(error as Error);
        platform.log.warn(
          `Health and metrics of this worker are not served: ${(error as Error).message}. ` +
            'Set METRICS_PORT to another port, or to off',
        );
      }
    },
    async stop() {
      if (server === undefined) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      server = undefined;
    },
    url() {
      if (server === undefined) return '';
      const { port } = server.address() as AddressInfo;
      return `http://${metricsHost.includes(':') ? `[${metricsHost}]` : metricsHost}:${port}`;
    },
  };
}

export function explainMetricsPort(error: Error): ConfigError {
  return new ConfigError(`METRICS_PORT and METRICS_HOST cannot be used: ${error.message}`);
}

function json(status: number, body: object): Answer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}
