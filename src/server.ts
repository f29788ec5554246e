import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import packageFile from '../package.json' with { type: 'json' };
import { buildService, type Service } from './app.ts';
import { logMigrations } from './log-migrations.ts';
import { explainMetricsPort } from './modules/health/index.ts';
import { MIGRATIONS_FOLDER, openInstallation } from './open-installation.ts';
import { createDuePoll } from './platform/background/index.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Config, MIN_SECRET_CHARACTERS } from './platform/config.ts';
import {
  BACKGROUND_LIMITS,
  connectDatabase,
  type DatabaseAddress,
  type Limits,
  REQUEST_LIMITS,
  readSchemaLevel,
  ServerError,
  type Sql,
  serviceName,
  warnAboutServer,
} from './platform/database/index.ts';
import { openFileStore } from './platform/files/index.ts';
import { createIdempotentWrite } from './platform/http/idempotent-write.ts';
import { type TriedAddress, tryAddresses } from './platform/http/try-addresses.ts';
import { createJobs } from './platform/jobs/index.ts';
import { inBackground, type Platform } from './platform/platform.ts';
import { type EmbeddedPostgres, refuseFolderInUse, startEmbeddedPostgres } from './platform/postgres/index.ts';
import { secretBox } from './platform/secret-box.ts';
import { type StoppingPart, stopInOrder } from './platform/stop-in-order.ts';
import { createExporter, startTracing, stopTracing, type TracingSettings } from './platform/tracing/index.ts';
import { findLinkWarning, type Settings } from './settings.ts';

export { MIGRATIONS_FOLDER } from './open-installation.ts';

const MIN_BACKGROUND_CONNECTIONS = 4;
/** A shard that is moved to another node counts for the former one until then. */
const READ_NODES_EVERY_MS = 30_000;
/** One per pool. */
const LISTENING_CONNECTIONS = 2;
/**
 * The process has ten seconds from the signal to its end; this leaves time for the steps before and after. On a busy machine timers are
 * late: with 9,000, some stops were killed at 9,500 as overdue.
 */
const STOP_WITHIN_MS = 8_000;

export type RunningService = {
  platform: Platform;
  service: Service;
  /** URL of the API; empty for a process with background work only. */
  baseUrl: string;
  stop(): Promise<void>;
};

export type StartOptions = {
  clock?: Clock;
  /** Database time limits of requests and of background work; longer in tests that do not test them. */
  limits?: { request: Limits; background: Limits };
  /** Stops migrations that the start is waiting for. */
  signal?: AbortSignal;
  /** How often idle loops look for work; shorter in tests. */
  duePollMs?: number;
  /** The routes are made after this: the files of the console must be there by then. */
  beforeRoutes?: Promise<void>;
  beforeListen?: (platform: Platform, service: Service) => Promise<void>;
};

type Started = { embedded: EmbeddedPostgres | undefined; address: DatabaseAddress };

/** Starts all parts in order. When a step fails, the parts that are running are stopped. */
export async function startService(
  settings: Settings,
  log: FastifyBaseLogger,
  options: StartOptions = {},
): Promise<RunningService> {
  const config = settings.platform;
  const running: StoppingPart[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= stopInOrder(running.toReversed(), STOP_WITHIN_MS, log);
    return stopping;
  };
  try {
    for (const warning of config.warnings) log.warn(warning);
    const linkWarning = findLinkWarning(settings);
    if (linkWarning !== undefined) log.warn(linkWarning);
    await tryPorts(settings);
    const { tracing } = settings;
    if (tracing !== undefined) {
      startTracing({ exporter: createExporter(exporterOptions(tracing, config, log)), ...tracing });
      running.push({ name: 'traces', stop: () => stopTracing() });
    }
    const { address, embedded } = await openDatabase(config, log);
    if (embedded) running.push({ name: 'PostgreSQL', stop: (timeoutMs) => embedded.stop({ timeoutMs }) });
    const secret = config.secret ?? (await readOrCreateSecret(config.dataDir));
    const level = await readSchemaLevel(MIGRATIONS_FOLDER);
    const applicationName = serviceName({ version: packageFile.version, level });
    const poolSize = config.databasePoolSize;
    const backgroundPoolSize = Math.max(MIN_BACKGROUND_CONNECTIONS, Math.ceil(poolSize / 3));
    const { request, background } = options.limits ?? { request: REQUEST_LIMITS, background: BACKGROUND_LIMITS };
    const sql = connectDatabase(address, { poolSize, applicationName, limits: request });
    const backgroundSql = connectDatabase(address, {
      poolSize: backgroundPoolSize,
      applicationName,
      limits: background,
    });
    running.push({
      name: 'database',
      async stop(withinMs) {
        await Promise.all([sql, backgroundSql].map((pool) => pool.end({ timeout: withinMs / 1000 })));
      },
    });
    const upgrade = { byForce: config.migrateByForce, signal: options.signal, onProgress: logMigrations(log) };
    const applied = await openInstallation(backgroundSql, { called: nameOfDatabase(config), secret, upgrade });
    if (!backgroundSql.layout.isWhole)
      throw new ServerError(
        'dukkan cluster move was interrupted after it had split a shard: run it again, it completes that',
      );
    sql.useLayout(backgroundSql.layout);
    if (applied.length > 0) log.info({ applied }, 'migrated');
    await warnAboutServer(backgroundSql, log, { connections: poolSize + backgroundPoolSize + LISTENING_CONNECTIONS });

    if (sql.layout.isDistributed) {
      const refresh = () => void sql.layout.refresh().catch((err) => log.warn({ err }, 'nodes could not be read'));
      const timer = setInterval(refresh, READ_NODES_EVERY_MS).unref();
      running.push({ name: 'nodes', stop: async () => clearInterval(timer) });
    }
    const platform = await createPlatform({
      config,
      log,
      sql,
      backgroundSql,
      secret,
      clock: options.clock ?? systemClock(),
      duePollMs: options.duePollMs,
    });
    await options.beforeRoutes;
    const service = await buildService(platform, settings);
    running.push({ name: 'routes', stop: (withinMs) => service.closeHttp(withinMs) });
    const loops = [...service.always, ...(config.roles.has('worker') ? service.workers : [])];
    await platform.jobs.start();
    running.push({ name: 'jobs', stop: (withinMs) => platform.jobs.stop(withinMs) });
    for (const part of loops) {
      await part.start();
      running.push({ name: 'background', stop: (withinMs) => part.stop(withinMs) });
    }
    platform.duePoll.start();
    running.push({ name: 'due poll', stop: () => platform.duePoll.stop() });
    await options.beforeListen?.(inBackground(platform), service);
    const baseUrl = config.roles.has('api') ? await listen(service, config) : '';
    // Stopped first, so that no new requests arrive during the shutdown.
    running.push({ name: 'http', stop: (withinMs) => service.closeHttp(withinMs) });
    return { platform, service, baseUrl, stop };
  } catch (error) {
    await stop().catch((cause) => log.error({ err: cause }, 'could not stop every part'));
    throw error;
  }
}

function exporterOptions(
  { url, headers, serviceName, everyMs }: TracingSettings,
  { environment }: Config,
  log: FastifyBaseLogger,
) {
  const resource = {
    'service.name': serviceName,
    'service.version': packageFile.version,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'deployment.environment.name': environment,
  };
  return { url, headers, resource, log, everyMs };
}

/** Before the database is created: a start that fails because the port is in use leaves nothing on disk. */
async function tryPorts({ platform: { roles, host, port, databaseUrl, dataDir }, health }: Settings): Promise<void> {
  const addresses: TriedAddress[] = roles.has('api') ? [{ host, port }] : [];
  if (health.metricsPort !== undefined && !health.metricsPortIsDefault) {
    addresses.push({ host: health.metricsHost, port: health.metricsPort, explain: explainMetricsPort });
  }
  try {
    await tryAddresses(addresses);
  } catch (error) {
    // Most often the service was started twice; then the error says so.
    if (databaseUrl === undefined) await refuseFolderInUse(dataDir);
    throw error;
  }
}

export async function openDatabase(config: Config, log: FastifyBaseLogger): Promise<Started> {
  if (config.databaseUrl !== undefined) return { address: config.databaseUrl, embedded: undefined };
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  return { address: embedded.connection, embedded };
}

export async function createPlatform(parts: {
  config: Config;
  log: FastifyBaseLogger;
  sql: Sql;
  backgroundSql: Sql;
  secret: string;
  clock: Clock;
  duePollMs?: number;
}): Promise<Platform> {
  const { duePollMs, ...given } = parts;
  const { config, log, sql, backgroundSql, secret, clock } = given;
  const box = secretBox(secret);
  const duePoll = createDuePoll({ sql: backgroundSql, clock, log }, duePollMs);
  return {
    ...given,
    box,
    duePoll,
    files: await openFileStore(config.files),
    jobs: createJobs({ sql: backgroundSql, log, duePoll, runWorkers: config.roles.has('worker') }),
    idempotentWrite: createIdempotentWrite({ sql, clock, box }),
  };
}

export function nameOfDatabase(config: Config): string {
  return config.databaseUrl === undefined ? 'The embedded database' : 'The database of DATABASE_URL';
}

/** Without it every stored secret is unreadable, so it is kept with the data, readable by the owner only. */
export async function readOrCreateSecret(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'secret');
  await mkdir(dataDir, { recursive: true });
  const fresh = `${file}.${randomBytes(6).toString('hex')}.new`;
  await writeFile(fresh, randomBytes(32).toString('hex'), { mode: 0o600 });
  try {
    // Atomic: a crash between creating and writing the file would leave an empty secret, which is guessable.
    await link(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(fresh, { force: true });
  }
  await chmod(file, 0o600);
  const secret = (await readFile(file, 'utf8')).trim();
  if (secret.length < MIN_SECRET_CHARACTERS) throw new Error(`${file} is damaged: restore it from a backup`);
  return secret;
}

async function listen(service: Service, config: Config): Promise<string> {
  await service.app.listen({ port: config.port, host: config.host });
  const bound = service.app.server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.port;
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
