import type pg from 'pg';
import { readDatabaseUrl } from './database-url.ts';
import { clientFor } from './primary-client.ts';
import { valueTypes } from './value-types.ts';

export type DatabaseAddress = string | { host: string; port: number; user: string; password: string; database: string };

/**
 * Time limits: waiting for a free connection, opening one, and for the server to end a statement, a lock wait or an idle transaction.
 */
export type Limits = {
  waitMs: number;
  connectMs: number;
  statementMs: number;
  lockMs: number;
  idleInTransactionMs: number;
};

/** A client waits for the response; a later one would be useless. */
export const REQUEST_LIMITS: Limits = {
  waitMs: 10_000,
  connectMs: 5_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 15_000,
};
/** Jobs, loops and commands: large pieces of work, with a limit all the same. */
export const BACKGROUND_LIMITS: Limits = {
  waitMs: 60_000,
  connectMs: 5_000,
  statementMs: 300_000,
  lockMs: 30_000,
  idleInTransactionMs: 60_000,
};

/**
 * Settings that correct results depend on. They override the server's, the role's, the database's and the `options` of the
 * address. Read-only transactions, nulls read as words, searches that skip rows (`gin_fuzzy_search_limit`) or another date order
 * would each give wrong results.
 */
const NEEDED = {
  TimeZone: 'UTC',
  DateStyle: 'ISO,MDY',
  IntervalStyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  client_min_messages: 'warning',
  row_security: 'on',
  gin_fuzzy_search_limit: '0',
  default_transaction_isolation: 'read\\ committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
};

/**
 * Settings that performance and durability were measured with. They override the server's, the role's and the database's defaults,
 * but not the `options` of the address, which the operator writes for this service.
 *
 * `jit`: compiling takes longer than most statements run (with it, an event took 1.3 to 12 s to its receiver).
 * `gin_pending_list_limit`: the insert that fills the pending list also merges it; with the default 4 MB that insert is slow.
 * `synchronous_commit`: a commit is on disk before it is acknowledged. `idle_session_timeout`: pooled and listening connections
 * are idle by design.
 */
const PREFERRED = {
  search_path: 'public',
  synchronous_commit: 'on',
  idle_session_timeout: '0',
  plan_cache_mode: 'auto',
  jit: 'off',
  gin_pending_list_limit: '512kB',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '1',
  enable_indexscan: 'on',
  enable_bitmapscan: 'on',
  enable_nestloop: 'on',
};

/** Servers before 17 refuse a connection with this setting in its options, so it is set afterwards. */
const WITHOUT_TRANSACTION_LIMIT = `select set_config('transaction_timeout', '0', false)
  where current_setting('transaction_timeout', true) <> '0'`;

export function clientConfig(
  address: DatabaseAddress,
  { applicationName, limits }: { applicationName: string; limits: Limits },
): pg.ClientConfig & Pick<pg.PoolConfig, 'onConnect'> {
  const {
    options: addressOptions,
    hosts: _,
    ...where
  } = typeof address === 'string' ? readDatabaseUrl(address) : { ...address, options: '', hosts: [] };
  const preferred = {
    ...PREFERRED,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
  return {
    ...where,
    // The last value of a setting wins.
    options: [toOptions(preferred), addressOptions, toOptions(NEEDED)].join(' '),
    application_name: applicationName,
    connectionTimeoutMillis: limits.connectMs,
    keepAlive: true,
    types: valueTypes,
    ...(!/\btransaction[-_]timeout\b/i.test(addressOptions) && {
      onConnect: async (client: pg.ClientBase) => {
        const statement = { text: WITHOUT_TRANSACTION_LIMIT, query_timeout: limits.connectMs };
        await client.query(statement);
      },
    }),
  };
}

/** The driver's client, or one that finds the primary among several hosts. */
export function clientClassOf(address: DatabaseAddress): typeof pg.Client {
  return clientFor(typeof address === 'string' ? readDatabaseUrl(address).hosts : []);
}

function toOptions(settings: Record<string, string | number>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
