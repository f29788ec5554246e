import postgres from 'postgres';
import { SUPERUSER } from './init-cluster.ts';
import type { Endpoint } from './settings.ts';

/** Taken by the driver as it stands: `postgres({ ...connection, max: 10 })`. With a socket, `host` is its folder. */
export type Connection = { host: string; port: number; user: string; password: string; database: string };

const DATABASE = 'dukkan';

export function connectionTo(endpoint: Endpoint, password: string): Connection {
  const host = endpoint.listen === 'tcp' ? '127.0.0.1' : endpoint.socketDir;
  return { host, port: endpoint.port, user: SUPERUSER, password, database: DATABASE };
}

/**
 * As psql and libpq read it. The driver understands only the TCP form (it has no notation for a socket folder inside a URL),
 * so code hands it the connection object.
 */
export function connectionUrl(connection: Connection): string {
  const { host, port, user, password, database } = connection;
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  if (!host.startsWith('/')) return `postgres://${login}@${host}:${port}/${database}`;
  return `postgres://${login}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** Proves that the server answers, that it serves this cluster, and that our database is there. */
export async function openDatabase(connection: Connection): Promise<{ clusterDir: string }> {
  const sql = postgres({ ...connection, database: 'postgres', max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    const [found] = await sql<{ cluster_dir: string; has_database: boolean }[]>`
      select current_setting('data_directory') as cluster_dir,
             exists (select from pg_database where datname = ${connection.database}) as has_database`;
    if (!found) throw new Error('The embedded PostgreSQL gave no answer');
    if (!found.has_database) await sql`create database ${sql(connection.database)}`;
    return { clusterDir: found.cluster_dir };
  } finally {
    await sql.end({ timeout: 1 });
  }
}
