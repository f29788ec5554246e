import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from './connect.ts';

/** A server on which the service could not work, and what the operator can do about it. */
export class ServerError extends Error {}

const OLDEST_VERSION = 15;
const EXTENSIONS = ['pg_trgm', 'btree_gin'] as const;

/** What the checks need to know of the server and of the account. */
export type Server = {
  version: number;
  encoding: string;
  isStandby: boolean;
  isReadOnly: boolean;
  replicationRole: string;
  database: string;
  user: string;
  schema: string | null;
  mayCreateTables: boolean;
  mayCreateSchemas: boolean;
  hasQueueSchema: boolean;
  /** The schema of the tables, when it is not in the search path. */
  tablesElsewhere: string | null;
  /** Their owner, when this account may not alter them. */
  foreignOwner: string | null;
};

type Extension = { name: string; isThere: boolean; isVisible: boolean; schema: string | null; mayCreate: boolean };

/**
 * Runs before anything is written. Refuses servers on which the service would fail later with an unclear error, or work incorrectly.
 * Privileges are read from the server, since providers differ; objects that exist need no privilege to create them.
 */
export async function checkServer(sql: Sql, called: string): Promise<void> {
  const server = await readServer(sql);
  const fault = findFaultInServer(server) ?? findFaultInExtensions(server, await readExtensions(sql));
  if (fault !== undefined) throw new ServerError(`${called} cannot be used: ${fault}`);
}

export function findFaultInServer(server: Server): string | undefined {
  const { user, database, schema, tablesElsewhere, foreignOwner } = server;
  if (server.version < OLDEST_VERSION * 10_000) {
    return `it is PostgreSQL ${Math.floor(server.version / 10_000)}, and ${OLDEST_VERSION} or newer is needed`;
  }
  if (server.isStandby) return 'the server is a standby, which takes no writes: give the address of the primary';
  if (server.isReadOnly) return 'the server lets this account read only';
  if (server.replicationRole !== 'origin') {
    return (
      `session_replication_role is ${server.replicationRole}, with which triggers do not run: ` +
      `reset it for role ${quoted(user)} and database ${quoted(database)}`
    );
  }
  if (server.encoding !== 'UTF8') {
    return (
      `its encoding is ${server.encoding}, which cannot hold Arabic beside English: make another database, with ` +
      `create database ... template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8'`
    );
  }
  if (tablesElsewhere !== null) {
    return `its tables are in schema ${quoted(tablesElsewhere)}: ${searchIn(tablesElsewhere)}`;
  }
  if (foreignOwner !== null) {
    const owner = quoted(foreignOwner);
    return `its tables belong to ${owner}: connect as that account, or grant ${owner} to ${quoted(user)}`;
  }
  if (schema === null) return 'it has no schema to put tables into: create schema public';
  if (!server.mayCreateTables) {
    const grant = `grant create on schema ${quoted(schema)} to ${quoted(user)}`;
    return `${quoted(user)} may not make tables in it: have its owner run ${grant}`;
  }
  if (!server.hasQueueSchema && !server.mayCreateSchemas) {
    const grant = `grant create on database ${quoted(database)} to ${quoted(user)}`;
    return `${quoted(user)} may not make the schema of the job queue: have its owner run ${grant}`;
  }
  return undefined;
}

function findFaultInExtensions({ user, database, schema }: Server, extensions: Extension[]): string | undefined {
  const missing = extensions.filter(({ isThere, mayCreate }) => !isThere && !mayCreate).map(({ name }) => name);
  if (missing.length > 0) {
    return (
      `${quoted(user)} may not add ${missing.join(' and ')}: have a superuser run, in database ${quoted(database)}, ` +
      `${missing.map((name) => `create extension ${name};`).join(' ')} (their files come with the server's package of ` +
      'extensions, often called contrib)'
    );
  }
  const trigrams = extensions.find(({ name }) => name === 'pg_trgm');
  if (!trigrams?.isThere || trigrams.isVisible) return undefined;
  const place = quoted(schema ?? 'public');
  return (
    `pg_trgm is in schema ${quoted(trigrams.schema ?? '')}, where it is not looked for: alter extension pg_trgm set ` +
    `schema ${place}, or ${searchIn(`${schema},${trigrams.schema}`)}`
  );
}

function searchIn(path: string): string {
  return `add ?options=-csearch_path%3D${encodeURIComponent(path)} to DATABASE_URL`;
}

async function readServer(sql: Sql): Promise<Server> {
  const [server] = await sql<[Server]>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
      pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
      current_setting('session_replication_role') as "replicationRole", current_database() as database,
      current_user as user, current_schema() as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreateTables",
      has_database_privilege(current_database(), 'create') as "mayCreateSchemas",
      to_regnamespace('pgboss') is not null as "hasQueueSchema",
      case when to_regclass('schema_migrations') is null then (
        select min(n.nspname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relname = 'schema_migrations' and exists
          (select from pg_class o where o.relname = 'service_facts' and o.relnamespace = c.relnamespace))
      end as "tablesElsewhere",
      (select pg_get_userbyid(relowner) from pg_class
        where oid = to_regclass('schema_migrations') and not pg_has_role(relowner, 'usage')) as "foreignOwner"`;
  return server;
}

function readExtensions(sql: Sql): Promise<Extension[]> {
  return sql<Extension[]>`
    select wanted.name, e.oid is not null as "isThere", to_regproc('show_trgm') is not null as "isVisible",
      n.nspname as schema, coalesce((
        select bool_or(v.trusted and has_database_privilege(current_database(), 'create') or r.rolsuper)
        from pg_available_extension_versions v where v.name = wanted.name), false) as "mayCreate"
    from unnest(${[...EXTENSIONS]}::text[]) as wanted (name)
    join pg_roles r on r.rolname = current_user
    left join pg_extension e on e.extname = wanted.name left join pg_namespace n on n.oid = e.extnamespace`;
}

/** After migration: logs one line for each property of the server that makes the service slower than it could be. */
export async function warnAboutServer(sql: Sql, log: FastifyBaseLogger, needs: { connections: number }): Promise<void> {
  const [seen] = await sql<[{ letters: number; ctype: string; database: string; maxConnections: number }]>`
    select cardinality(show_trgm('دكان')) as letters, d.datctype as ctype, d.datname as database,
      least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int,
        nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1)) as "maxConnections"
    from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = current_user`;
  if (seen.letters === 0) {
    log.warn(
      `Arabic has no letters in database ${quoted(seen.database)} (lc_ctype is ${seen.ctype}): searches for it are right, ` +
        `but read whole tables. To mend it, dump it and restore it into one made with create database ... template ` +
        `template0 lc_ctype 'C.UTF-8'`,
    );
  }
  if (seen.maxConnections < needs.connections) {
    log.warn(
      `This process opens up to ${needs.connections} connections, but the server allows ${seen.maxConnections} in total: raise ` +
        `max_connections (or the limit of the role or the database), or lower DATABASE_POOL_SIZE`,
    );
  }
}

/** Quoted as SQL needs it, so that the statements in messages can be pasted. */
function quoted(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
