import type pg from 'pg';
import { valueTypes } from './value-types.ts';

export type DatabaseAddress = string | { host: string; port: number; user: string; password: string; database: string };

/**
 * How long somebody waits for a connection; and how long a statement may run, wait for a lock, or leave its transaction
 * idle, before the server ends it.
 */
export type Limits = { waitMs: number; statementMs: number; lockMs: number; idleInTransactionMs: number };

/** Somebody waits for the answer; past this it is of no use to them. */
export const REQUEST_LIMITS: Limits = {
  waitMs: 10_000,
  statementMs: 30_000,
  lockMs: 10_000,
  idleInTransactionMs: 15_000,
};
/** Jobs, loops and commands: work in large pieces, but never for ever. */
export const BACKGROUND_LIMITS: Limits = {
  waitMs: 60_000,
  statementMs: 300_000,
  lockMs: 30_000,
  idleInTransactionMs: 60_000,
};

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * What the service relies on, whatever the server's own defaults are. Compiling a statement takes longer than most of
 * ours run (an event took 1.3 to 12 s to its receiver with `jit` on). An insert that fills the pending list of a search
 * index folds it in: with the server's 4 MB that would be felt.
 */
const SESSION = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  bytea_output: 'hex',
  jit: 'off',
  default_transaction_isolation: 'read\\ committed',
  gin_pending_list_limit: '512kB',
};

export function clientConfig(
  address: DatabaseAddress,
  { applicationName, limits }: { applicationName: string; limits: Limits },
): pg.ClientConfig {
  const { options: given, ...where } = typeof address === 'string' ? readAddress(address) : { ...address, options: '' };
  const settings = Object.entries({
    ...SESSION,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  }).map(([name, value]) => `-c ${name}=${value}`);
  return {
    ...where,
    // What the address itself asks for comes last and wins.
    options: [...settings, given].join(' ').trim(),
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: valueTypes,
  };
}

/** The driver reads `sslmode` in a way of its own unless asked to read it as every other client does. */
function readAddress(text: string): { connectionString: string; options: string } {
  if (!URL.canParse(text)) return { connectionString: text, options: '' };
  const url = new URL(text);
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  if (url.searchParams.has('sslmode') && !url.searchParams.has('uselibpqcompat')) {
    url.searchParams.set('uselibpqcompat', 'true');
  }
  return { connectionString: url.href, options };
}
