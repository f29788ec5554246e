import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { type Binaries, prepareBinaries } from './binaries.ts';
import type { PostgresLog, ServerSetup } from './bring-up-server.ts';
import { type Connection, connectionUrl } from './connection.ts';
import { initCluster, readPassword } from './init-cluster.ts';
import { lockFolder } from './lock-folder.ts';
import { findClusterVersion, type Placement, placeCluster } from './place-cluster.ts';
import { lastErrorLine, serverEnvironment } from './run-program.ts';
import { type EmbeddedPostgres, superviseServer } from './supervise-server.ts';

const NEEDED_PROGRAMS = ['postgres', 'pg_ctl', 'pg_dump', 'psql'];
/** Where Debian and PGDG, RPM, and Homebrew put the programs of a version. */
const USUAL_FOLDERS = (version: number) => [
  `/usr/lib/postgresql/${version}/bin`,
  `/usr/pgsql-${version}/bin`,
  `/opt/homebrew/opt/postgresql@${version}/bin`,
  `/usr/local/opt/postgresql@${version}/bin`,
];
const OLD_CLUSTER = /^cluster\.pg\d+$/;

export type Upgraded = { from: number; to: number; tables: number; oldCluster: string | undefined };

/**
 * Moves the database of a data folder from an earlier major version of PostgreSQL to the included one: the old server is started from
 * its own programs, dumped into a new cluster, and compared table by table. The old cluster is renamed only after that.
 *
 * pg_upgrade would avoid the copy, but the package of the embedded server includes neither it nor pg_dump, and pg_upgrade needs both
 * versions complete.
 */
export async function upgradeCluster(options: {
  dataDir: string;
  /** The folder with the programs of the old version. */
  programs: string | undefined;
  log: PostgresLog;
  extraSettings?: Record<string, string>;
}): Promise<Upgraded> {
  const dataDir = realpathSync(options.dataDir);
  const lock = await lockFolder(dataDir);
  try {
    const placement = placeCluster(dataDir);
    const binaries = await prepareBinaries(placement.account);
    const from = findClusterVersion(placement.clusterDir);
    if (from === undefined) throw new Error(`${dataDir} has no database`);
    if (from === binaries.majorVersion) return { from, to: from, tables: 0, oldCluster: undefined };
    if (from > binaries.majorVersion) {
      throw new Error(`${dataDir} is of PostgreSQL ${from}, newer than the included ${binaries.majorVersion}`);
    }
    const old = findPrograms(from, options.programs);
    const password = readPassword(dataDir, true);
    const { log, extraSettings } = options;
    const setup = { password, logFile: join(dataDir, 'postgres.log'), extraSettings, log };
    const upgraded = makeNewHome(placement);
    try {
      await initCluster(upgraded, binaries, password);
      const tables = await copyDatabase(
        { ...setup, placement, binaries: old },
        { ...setup, placement: upgraded, binaries },
      );
      const oldCluster = `${placement.clusterDir}.pg${from}`;
      renameSync(placement.clusterDir, oldCluster);
      renameSync(upgraded.clusterDir, placement.clusterDir);
      return { from, to: binaries.majorVersion, tables, oldCluster };
    } finally {
      rmSync(upgraded.home, { recursive: true, force: true, maxRetries: 3 });
    }
  } finally {
    lock.release();
  }
}

/** Between its two renames there is no cluster, and a start would make an empty one. */
export function refuseInterruptedUpgrade({ home }: Placement): void {
  const old = readdirSync(home).find((name) => OLD_CLUSTER.test(name));
  if (old === undefined) return;
  throw new Error(`The upgrade of the database was interrupted: rename ${join(home, old)} to cluster and run it again`);
}

function findPrograms(version: number, given: string | undefined): Binaries {
  const folders = given === undefined ? USUAL_FOLDERS(version) : [given];
  const folder = folders.find((each) => NEEDED_PROGRAMS.every((name) => existsSync(join(each, name))));
  if (folder === undefined) {
    throw new Error(
      `The programs of PostgreSQL ${version} (${NEEDED_PROGRAMS.join(', ')}) are needed to read this database, and are not in ` +
        `${folders.join(', ')}: install postgresql-${version}, or name their folder with --programs`,
    );
  }
  const program = (name: string) => join(folder, name);
  return { postgres: program('postgres'), pgCtl: program('pg_ctl'), initdb: program('initdb'), majorVersion: version };
}

/** A folder of its own: two servers cannot share one for their sockets. */
function makeNewHome(placement: Placement): Placement {
  const home = join(placement.home, 'upgrade');
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(home, { mode: 0o700 });
  if (placement.account) chownSync(home, placement.account.uid, placement.account.gid);
  return { ...placement, home, clusterDir: join(home, 'cluster') };
}

async function copyDatabase(from: ServerSetup, to: ServerSetup): Promise<number> {
  const servers: EmbeddedPostgres[] = [];
  const start = async (setup: ServerSetup) => {
    const server = await superviseServer(setup, process.platform === 'win32' ? 'tcp' : 'socket', () => undefined);
    servers.push(server);
    return server.connection;
  };
  try {
    const source = await start(from);
    const target = await start(to);
    await dumpInto(from.binaries, source, target);
    const expected = await countRows(source);
    const copied = await countRows(target);
    for (const [table, rows] of expected) {
      if (copied.get(table) !== rows)
        throw new Error(`${table} has ${copied.get(table) ?? 0} rows after the copy, not ${rows}`);
    }
    return expected.size;
  } finally {
    // With a checkpoint each, however long it takes: the new cluster is used from here on.
    for (const server of servers) await server.stop({ timeoutMs: 600_000 });
  }
}

/** One program into the other: the dump is never stored. */
async function dumpInto(binaries: Binaries, source: Connection, target: Connection): Promise<void> {
  const folder = join(binaries.postgres, '..');
  const env = serverEnvironment();
  const dump = spawn(join(folder, 'pg_dump'), ['--no-owner', '--no-privileges', '--dbname', connectionUrl(source)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const restoreArguments = ['--no-psqlrc', '--quiet', '--single-transaction', '--set', 'ON_ERROR_STOP=1'];
  const restore = spawn(join(folder, 'psql'), [...restoreArguments, '--dbname', connectionUrl(target)], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const said = { dump: '', restore: '' };
  dump.stderr.on('data', (chunk: Buffer) => {
    said.dump = (said.dump + chunk.toString()).slice(-4_000);
  });
  restore.stderr.on('data', (chunk: Buffer) => {
    said.restore = (said.restore + chunk.toString()).slice(-4_000);
  });
  const ended = Promise.all([once(dump, 'close'), once(restore, 'close')]);
  // A pipe that breaks is the consequence of a program that fails, which says more.
  await pipeline(dump.stdout, restore.stdin).catch(() => undefined);
  const [[dumped], [restored]] = await ended;
  if (restored !== 0) throw new Error(`The new database refused the dump: ${lastErrorLine(said.restore)}`);
  if (dumped !== 0) throw new Error(`The old database could not be dumped: ${lastErrorLine(said.dump)}`);
}

async function countRows(connection: Connection): Promise<Map<string, string>> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const counts = new Map<string, string>();
    for (const { name } of rows) {
      const counted = await client.query<{ count: string }>(`select count(*) as count from ${name}`);
      counts.set(name, counted.rows[0]?.count ?? '');
    }
    return counts;
  } finally {
    await client.end().catch(() => undefined);
  }
}
