import pg from 'pg';
import { SUPERUSER } from './init-cluster.ts';
import type { Endpoint } from './settings.ts';

/** With a socket, `host` is its folder. */
export type Connection = { host: string; port: number; user: string; password: string; database: string };

const DATABASE = 'dukkan';

export function connectionTo(endpoint: Endpoint, password: string): Connection {
  const host = endpoint.listen === 'tcp' ? '127.0.0.1' : endpoint.socketDir;
  return { host, port: endpoint.port, user: SUPERUSER, password, database: DATABASE };
}

/** For psql and libpq; the driver uses the connection object itself. */
export function connectionUrl(connection: Connection): string {
  const { host, port, user, password, database } = connection;
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  if (!host.startsWith('/')) return `postgres://${login}@${host}:${port}/${database}`;
  return `postgres://${login}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** Connects, returns the cluster that the server runs, and creates the database when it is missing. */
export async function openDatabase(connection: Connection): Promise<{ clusterDir: string }> {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ cluster_dir: string; has_database: boolean }>(
      `select current_setting('data_directory') as cluster_dir,
              exists (select from pg_database where datname = $1) as has_database`,
      [connection.database],
    );
    const [found] = rows;
    if (!found) throw new Error('The embedded PostgreSQL returned no row');
    if (!found.has_database) await client.query(`create database ${client.escapeIdentifier(connection.database)}`);
    return { clusterDir: found.cluster_dir };
  } finally {
    await client.end().catch(() => undefined);
  }
}
