import { Type } from 'typebox';

const timestamp = '2026-11-15T08:00:00.000Z';

const HealthStatus = Type.Unsafe<'healthy' | 'degraded' | 'unhealthy'>({
  title: 'HealthStatus',
  type: 'string',
  enum: ['healthy', 'degraded', 'unhealthy'],
});

export const Ping = Type.Object(
  { message: Type.String(), timestamp: Type.String() },
  { title: 'Ping', examples: [{ message: 'pong', timestamp }] },
);

export const Health = Type.Object(
  { status: HealthStatus, version: Type.String(), environment: Type.String(), timestamp: Type.String() },
  { title: 'Health', examples: [{ status: 'healthy', version: '1.0.0', environment: 'production', timestamp }] },
);

export const SystemHealth = Type.Object(
  {
    status: Type.String(),
    version: Type.String(),
    environment: Type.String(),
    uptime_seconds: Type.Number(),
    system_health: Type.Object({
      status: Type.String(),
      initialized: Type.Boolean(),
      started: Type.Boolean(),
      timestamp: Type.String(),
      total_apps: Type.Integer(),
      active_apps: Type.Integer(),
      manager_metrics: Type.Object({
        active_instances: Type.Integer(),
        total_instances: Type.Integer(),
        total_organizations: Type.Integer(),
      }),
      registry_metrics: Type.Object({
        total_factories: Type.Integer(),
        total_created: Type.Integer(),
        total_errors: Type.Integer(),
        cache_hit_rate: Type.Number(),
      }),
      scheduler_metrics: Type.Object({
        active_workers: Type.Integer(),
        total_executions: Type.Integer(),
        successful_runs: Type.Integer(),
        failed_runs: Type.Integer(),
        success_rate: Type.Number(),
      }),
      staging_metrics: Type.Object({
        total_processed: Type.Integer(),
        total_failed: Type.Integer(),
        total_cleaned_up: Type.Integer(),
      }),
    }),
  },
  {
    title: 'SystemHealth',
    examples: [
      {
        status: 'healthy',
        version: '1.0.0',
        environment: 'production',
        uptime_seconds: 86400.5,
        system_health: {
          status: 'healthy',
          initialized: true,
          started: true,
          timestamp,
          total_apps: 12,
          active_apps: 10,
          manager_metrics: { active_instances: 10, total_instances: 12, total_organizations: 3 },
          registry_metrics: { total_factories: 20, total_created: 12, total_errors: 0, cache_hit_rate: 0.99 },
          scheduler_metrics: {
            active_workers: 4,
            total_executions: 120,
            successful_runs: 119,
            failed_runs: 1,
            success_rate: 0.9917,
          },
          staging_metrics: { total_processed: 900, total_failed: 2, total_cleaned_up: 40 },
        },
      },
    ],
  },
);

export const Telemetry = Type.Object(
  {
    timestamp: Type.String(),
    uptime_seconds: Type.Number(),
    process: Type.Object({
      node: Type.String(),
      pid: Type.Integer(),
      cpu_user_seconds: Type.Number(),
      cpu_system_seconds: Type.Number(),
      rss_bytes: Type.Integer(),
      heap_used_bytes: Type.Integer(),
      heap_total_bytes: Type.Integer(),
      external_bytes: Type.Integer(),
    }),
    event_loop: Type.Object({
      utilization: Type.Number(),
      delay_p50_ms: Type.Number(),
      delay_p99_ms: Type.Number(),
      delay_max_ms: Type.Number(),
    }),
    http: Type.Object({
      in_flight: Type.Integer(),
      requests: Type.Integer(),
      errors: Type.Integer(),
      routes: Type.Array(
        Type.Object({
          method: Type.String(),
          route: Type.String(),
          requests: Type.Integer(),
          errors: Type.Integer(),
          p50_ms: Type.Number(),
          p95_ms: Type.Number(),
          p99_ms: Type.Number(),
        }),
      ),
    }),
    database: Type.Object({ pool_size: Type.Integer(), open: Type.Integer(), active: Type.Integer() }),
    jobs: Type.Array(
      Type.Object({ name: Type.String(), queued: Type.Integer(), active: Type.Integer(), failed: Type.Integer() }),
    ),
    followers: Type.Array(
      Type.Object({
        name: Type.String(),
        events_behind: Type.Integer(),
        seconds_behind: Type.Number(),
        dead_lettered: Type.Integer({ description: 'Events that it could not process and set aside as dead letters' }),
        dead_lettered_last_day: Type.Integer({ description: 'Of these, within the last day' }),
      }),
    ),
    sections: Type.Object({}, { additionalProperties: true, description: 'Figures of other modules, by name' }),
  },
  {
    title: 'Telemetry',
    examples: [
      {
        timestamp,
        uptime_seconds: 86400.5,
        process: {
          node: 'v24.21.0',
          pid: 4021,
          cpu_user_seconds: 12.1,
          cpu_system_seconds: 2.2,
          rss_bytes: 120000000,
          heap_used_bytes: 40000000,
          heap_total_bytes: 60000000,
          external_bytes: 4000000,
        },
        event_loop: { utilization: 0.02, delay_p50_ms: 0.1, delay_p99_ms: 1.2, delay_max_ms: 10.3 },
        http: {
          in_flight: 1,
          requests: 1000,
          errors: 0,
          routes: [
            { method: 'GET', route: '/api/v1/ping', requests: 1000, errors: 0, p50_ms: 0.1, p95_ms: 0.2, p99_ms: 0.5 },
          ],
        },
        database: { pool_size: 16, open: 5, active: 1 },
        jobs: [{ name: 'forget-old-keys', queued: 0, active: 0, failed: 0 }],
        followers: [
          { name: 'webhooks', events_behind: 0, seconds_behind: 0, dead_lettered: 0, dead_lettered_last_day: 0 },
        ],
        sections: {},
      },
    ],
  },
);
