import type { Queryable, Sql } from './connect.ts';
import { listMigrations, type MigrateOptions, MigrationError, migrate } from './migrate/index.ts';

/** Version and schema level of a service, in the application_name of its connections: visible exactly as long as they are open. */
export type ServiceName = { version: string; level: string };

// The second form is that of releases without a level in the name: older than every current one.
const NAME_PATTERN = /^dukkan (\S+) schema (\d+)$|^dukkan$/;
const UNKNOWN_LEVEL = '0000';

/**
 * The application_name of every connection of a service. Rejected: a row with a heartbeat (it outlives a killed service and expires
 * for a paused one), and an advisory lock (it needs a connection of its own).
 */
export function serviceName({ version, level }: ServiceName): string {
  return `dukkan ${version} schema ${level}`;
}

/** The number of the newest migration that this version knows. */
export async function readSchemaLevel(folder: string): Promise<string> {
  return levelOf((await listMigrations(folder)).at(-1));
}

export type Upgrade = { byForce: boolean } & Pick<MigrateOptions, 'onProgress' | 'signal'>;

/**
 * Migrates, unless an older service is connected: its next statement could fail, or write data that the new version does not read. It
 * may stay connected when every pending migration is declared `-- rolling`.
 * Several services of one version may start at once, on an empty database too.
 */
export async function upgradeDatabase(sql: Sql, folder: string, { byForce, ...options }: Upgrade): Promise<string[]> {
  if (byForce) return migrate(sql, folder, options);
  const level = await readSchemaLevel(folder);
  return migrate(sql, folder, {
    ...options,
    async beforeApplying(locked, pending) {
      if (!pending.every(({ isRolling }) => isRolling)) await refuseUnderOlderServices(locked, level);
    },
  });
}

/** Runs under the migration lock: an older service that starts now is either seen here or finds the database newer. */
async function refuseUnderOlderServices(sql: Queryable, level: string): Promise<void> {
  const sessions = await sql<{ name: string; connections: number; since: Date; address: string | null }[]>`
    select application_name as name, count(*) as connections, min(backend_start) as since,
      min(host(client_addr)) as address
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^dukkan( |$)'
    group by application_name order by application_name`;
  const older = sessions.flatMap(({ name, connections, since, address }) => {
    const service = parseServiceName(name);
    if (service === undefined || service.level >= level) return [];
    const place = address === null ? '' : ` from ${address}`;
    return [
      `Dukkan ${service.version} (schema ${service.level}, ${connections} connections${place} since ${since.toISOString()})`,
    ];
  });
  if (older.length === 0) return;
  throw new MigrationError(
    `${older.join(' and ')} is running on this database, and would not know schema ${level}. ` +
      'Stop it first; or, when it can live with the change, use DUKKAN_MIGRATE=force or dukkan migrate --force',
  );
}

/** For commands that use the database without migrating it. */
export async function checkSchemaLevel(sql: Queryable, folder: string): Promise<void> {
  const { missing, unknown, newest } = await compareWithFolder(sql, folder);
  if (unknown !== undefined) {
    throw new MigrationError(`The database has migration ${unknown}, which this version does not know: it is newer`);
  }
  if (missing.length === 0) return;
  const found = newest === undefined ? 'The database is empty' : `The database is at schema ${levelOf(newest)}`;
  throw new MigrationError(
    `${found}, this version needs ${levelOf(missing.at(-1))}: run dukkan migrate, or start the service, first`,
  );
}

async function compareWithFolder(sql: Queryable, folder: string) {
  const files = await listMigrations(folder);
  const [table] = await sql<{ present: boolean }[]>`select to_regclass('schema_migrations') is not null as present`;
  const rows = table?.present ? await sql<{ name: string }[]>`select name from schema_migrations order by name` : [];
  const applied = new Set(rows.map(({ name }) => name));
  return {
    newest: rows.at(-1)?.name,
    missing: files.filter((name) => !applied.has(name)),
    unknown: rows.find(({ name }) => !files.includes(name))?.name,
  };
}

function parseServiceName(name: string): ServiceName | undefined {
  const found = NAME_PATTERN.exec(name);
  return found === null
    ? undefined
    : { version: found[1] ?? 'of an earlier release', level: found[2] ?? UNKNOWN_LEVEL };
}

function levelOf(name: string | undefined): string {
  return /^\d+/.exec(name ?? '')?.[0] ?? UNKNOWN_LEVEL;
}
