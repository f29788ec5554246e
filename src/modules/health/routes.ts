import type { App } from '../../platform/http/app.ts';
import { API_VERSION } from '../../platform/http/openapi.ts';
import { Problem, unauthorized } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/platform.ts';
import { countOrganizations, open, signedIn } from '../identity/index.ts';
import { carriesToken } from './carries-token.ts';
import { createHealthCheck, type HealthReport } from './check-health.ts';
import type { MetricsPage } from './metrics.ts';
import * as docs from './route-docs.ts';
import type { HealthSettings } from './settings.ts';
import type { HealthSources } from './sources.ts';
import { createTelemetry } from './telemetry.ts';

function answerHealth({ clock, config }: Platform, { status, reason }: HealthReport) {
  if (status === 'unhealthy') throw new Problem(503, 'Service unhealthy', { status, reason });
  return { status, version: API_VERSION, environment: config.environment, timestamp: clock.now().toISOString() };
}

/** The same answer at the root of the API port, where load balancers look for it. */
export function rootHealthRoute(app: App, platform: Platform, sources: HealthSources): void {
  const checkHealth = createHealthCheck(platform.sql, sources);
  app.get(
    '/health',
    { config: { access: open, isProbe: true }, schema: { response: docs.healthDoc.response, hide: true } },
    async () => {
      return answerHealth(platform, await checkHealth());
    },
  );
}

export function healthRoutes(app: App, platform: Platform, sources: HealthSources): void {
  const { sql, clock, config, jobs } = platform;
  const checkHealth = createHealthCheck(sql, sources);
  const telemetry = createTelemetry(platform, sources);
  app.addHook('onClose', async () => telemetry.stop());

  app.get('/ping', { config: { access: open, isProbe: true }, schema: docs.pingDoc }, (_request, reply) => {
    reply.send({ message: 'pong', timestamp: clock.now().toISOString() });
  });

  app.get('/health', { config: { access: open, isProbe: true }, schema: docs.healthDoc }, async () => {
    return answerHealth(platform, await checkHealth());
  });

  app.get('/health/system', { config: { access: signedIn }, schema: docs.systemHealthDoc }, async () => {
    const { status, reason } = await checkHealth();
    if (status === 'unhealthy') throw new Problem(503, 'Service unhealthy', { status, reason });
    const totalOrganizations = await countOrganizations(sql);
    const apps = await sources.apps();
    const work = jobs.counts();
    return {
      status,
      version: API_VERSION,
      environment: config.environment,
      uptime_seconds: process.uptime(),
      system_health: {
        status,
        initialized: true,
        started: true,
        timestamp: clock.now().toISOString(),
        total_apps: apps.installs,
        active_apps: apps.enabledInstalls,
        manager_metrics: {
          active_instances: apps.enabledInstalls,
          total_instances: apps.installs,
          total_organizations: totalOrganizations,
        },
        registry_metrics: {
          total_factories: apps.factories,
          total_created: apps.installs,
          total_errors: apps.failingInstalls,
          cache_hit_rate: sources.identityCacheHitRate(),
        },
        scheduler_metrics: {
          active_workers: work.activeWorkers,
          total_executions: work.executions,
          successful_runs: work.succeeded,
          failed_runs: work.failed,
          success_rate: work.executions === 0 ? 1 : work.succeeded / work.executions,
        },
        staging_metrics: {
          total_processed: apps.staging.processed,
          total_failed: apps.staging.failed,
          total_cleaned_up: apps.staging.cleanedUp,
        },
      },
    };
  });

  app.get('/telemetry', { config: { access: signedIn }, schema: docs.telemetryDoc }, () => telemetry.read());
}

/**
 * Outside the API prefix. Route names and load are not public, and the address of a request is no evidence: a proxy on this
 * machine forwards requests of any client. So the route requires the token, and is absent when none is set.
 */
export function metricsRoute(app: App, { metricsToken }: HealthSettings, page: MetricsPage): void {
  if (metricsToken === undefined) return;
  app.get('/metrics', { schema: { hide: true }, config: { access: open } }, async (request, reply) => {
    if (!carriesToken(request.headers.authorization, metricsToken)) {
      throw unauthorized('Metrics take METRICS_TOKEN as the bearer');
    }
    return reply.header('content-type', page.contentType).send(await page.read());
  });
}
