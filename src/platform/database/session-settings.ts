import type pg from 'pg';
import { readDatabaseUrl } from './database-url.ts';
import { valueTypes } from './value-types.ts';

export type DatabaseAddress = string | { host: string; port: number; user: string; password: string; database: string };

/**
 * How long somebody waits for a connection, and how long one may take to come about; and how long a statement may run, wait
 * for a lock, or leave its transaction idle, before the server ends it.
 */
export type Limits = {
  waitMs: number;
  connectMs: number;
  statementMs: number;
  lockMs: number;
  idleInTransactionMs: number;
};

/** Somebody waits for the answer; past this it is of no use to them. */
export const REQUEST_LIMITS: Limits = {
  waitMs: 10_000,
  connectMs: 5_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 15_000,
};
/** Jobs, loops and commands: work in large pieces, but never for ever. */
export const BACKGROUND_LIMITS: Limits = {
  waitMs: 60_000,
  connectMs: 5_000,
  statementMs: 300_000,
  lockMs: 30_000,
  idleInTransactionMs: 60_000,
};

/**
 * What the answers of the service depend on. Nobody changes these: neither the server, nor what was set for the role or the
 * database, nor the `options` of the address. A transaction that reads only, a list whose nulls are words, a search that
 * leaves out what it likes (`gin_fuzzy_search_limit`) or dates the other way round would each be a wrong answer.
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
 * What its speed and its promises were measured with. Stronger than the server's defaults and what was set for the role
 * or the database, weaker than the `options` of the address: who writes those means this service.
 *
 * Compiling a statement takes longer than most of ours run (an event took 1.3 to 12 s to its receiver with `jit` on). An
 * insert that fills the pending list of a search index folds it in: with the server's 4 MB that would be felt. A commit is
 * on disk before it is acknowledged. A connection that waits in the pool or listens is not idle for nothing.
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

/** Servers before 17 do not know it, and refuse a connection that asks for what they do not know. So it is asked for after. */
const WITHOUT_TRANSACTION_LIMIT = `select set_config('transaction_timeout', '0', false)
  where current_setting('transaction_timeout', true) <> '0'`;

export function clientConfig(
  address: DatabaseAddress,
  { applicationName, limits }: { applicationName: string; limits: Limits },
): pg.ClientConfig & Pick<pg.PoolConfig, 'onConnect'> {
  const { options: given, ...where } =
    typeof address === 'string' ? readDatabaseUrl(address) : { ...address, options: '' };
  const preferred = {
    ...PREFERRED,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
  return {
    ...where,
    // Of two that set the same, the later wins.
    options: [toOptions(preferred), given, toOptions(NEEDED)].join(' '),
    application_name: applicationName,
    connectionTimeoutMillis: limits.connectMs,
    keepAlive: true,
    types: valueTypes,
    ...(!/\btransaction[-_]timeout\b/i.test(given) && {
      onConnect: async (client: pg.ClientBase) => {
        const statement = { text: WITHOUT_TRANSACTION_LIMIT, query_timeout: limits.connectMs };
        await client.query(statement);
      },
    }),
  };
}

function toOptions(settings: Record<string, string | number>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
