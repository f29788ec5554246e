import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectDatabase, type Sql } from '../../src/platform/database/index.ts';
import { type Connection, connectionUrl } from '../../src/platform/postgres/index.ts';
import type { CleanUp } from './clean-up.ts';
import { besideDatabase, GIVEN_SERVER } from './given-server.ts';
import { startProcess, waitUntilReady } from './start-process.ts';
import { removeData } from './start-service.ts';

/** A PostgreSQL server that the service and its baselines share: embedded, or the one of BENCH_DATABASE_URL. */
export type BenchServer = {
  isEmbedded: boolean;
  /** The account that created the databases, in a database of its own: for figures of the whole server. */
  sql: Sql;
  /** The URL of a new database, dropped at the end. */
  makeDatabase(): Promise<string>;
};

const FILE = new URL('./embedded-server.ts', import.meta.url);

export async function startServer(cleanUp: CleanUp, settings: Record<string, string> = {}): Promise<BenchServer> {
  const urlOf = GIVEN_SERVER === undefined ? await startEmbedded(cleanUp, settings) : urlOfGiven(GIVEN_SERVER);
  const admin = connectDatabase(urlOf(undefined), { poolSize: 1, applicationName: 'bench' });
  cleanUp.add(() => admin.end({ timeout: 1 }));

  async function makeDatabase(): Promise<string> {
    const name = `dukkan_bench_${randomBytes(6).toString('hex')}`;
    await admin`create database ${admin(name)}`;
    cleanUp.add(async () => {
      await admin`drop database if exists ${admin(name)} with (force)`;
    });
    return urlOf(name);
  }

  const sql = connectDatabase(await makeDatabase(), { poolSize: 2, applicationName: 'bench' });
  cleanUp.add(() => sql.end({ timeout: 1 }));
  return { isEmbedded: GIVEN_SERVER === undefined, sql, makeDatabase };
}

type UrlOf = (database: string | undefined) => string;

function urlOfGiven(serverUrl: string): UrlOf {
  return (database) => (database === undefined ? serverUrl : String(besideDatabase(serverUrl, database)));
}

async function startEmbedded(cleanUp: CleanUp, settings: Record<string, string>): Promise<UrlOf> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-bench-'));
  cleanUp.add(() => removeData(dataDir));
  const server = await startProcess(FILE, cleanUp, {
    env: { DATA_DIR: dataDir, SERVER_SETTINGS: JSON.stringify(settings) },
  });
  const { connection } = await waitUntilReady(
    server,
    'The embedded PostgreSQL',
    ({ message }) => message as { connection: Connection } | undefined,
  );
  return (database = connection.database) => connectionUrl({ ...connection, database });
}
