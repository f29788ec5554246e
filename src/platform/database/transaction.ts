import { setTimeout as delay } from 'node:timers/promises';
import { createTag, type Queryable, runUnsafe, type Sql, type Tx } from './connect.ts';
import type { Connection } from './connections.ts';
import { classifyDatabaseError, isLost, isOfAborted } from './errors.ts';
import type { Layout } from './layout.ts';
import type { Compiled } from './statement.ts';
import { whileInTransaction } from './tenant-context.ts';

/** Where transactions take their connections from: a pool, or one connection. */
export type TransactionSource = Pick<Sql, 'priorityClass' | 'layout'> & {
  connections: Pick<Sql['connections'], 'withConnection'>;
};

export function isTransaction(sql: Queryable): sql is Tx {
  return 'isTransaction' in sql;
}

const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 4;

/**
 * Every rule that writes runs in a transaction; an error rolls it back. After a deadlock or a serialization failure the transaction
 * is retried, up to five attempts: `work` may run more than once and must keep no state of earlier runs.
 */
export function inTransaction<T>(sql: TransactionSource, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retryCollisions(() => runTransaction(sql, 'begin', work, commitOf(sql)));
}

/**
 * For transactions that write rows of one group of tenants only, in tables that a cluster spreads, or only to tables that it does not spread:
 * one server commits alone, in one phase. On one server as any other.
 */
export function inOnePhase<T>(sql: TransactionSource, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retryCollisions(() => runTransaction(sql, beginByIndex(sql), work));
}

/** A table of the coordinator that the cluster knows. It is always empty. */
export const TWO_PHASE_TABLE = 'two_phase_commits';

/**
 * A cluster commits a transaction that wrote to a shard and to other tables of the coordinator first on the shard's node, then on its own: a
 * crash in between would keep one half. With a statement about a table that it knows it commits in two phases. A transaction without
 * a shard is committed as usual.
 */
const commitOf = ({ layout }: TransactionSource) =>
  layout.isDistributed ? `delete from ${TWO_PHASE_TABLE} where id = 0;commit` : 'commit';

/**
 * For transactions whose statements all go from a few keys to their rows. Each connection caches its plans. A plan that was made
 * while the tables were nearly empty uses sequential scans until the next ANALYZE, so sequential scans are disabled here. Plans for
 * any parameters are not forced: one that was made while `projected_orders` was empty read all orders of the tenant for each. The settings
 * are part of the message that begins the transaction: as a statement of their own they were one of the ten of a small batch. Nodes of a
 * cluster plan each statement anew.
 */
export function inTransactionByIndex<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retryCollisions(() => runTransaction(sql, beginByIndex(sql), work, commitOf(sql)));
}

const beginByIndex = ({ layout }: TransactionSource) => (layout.isDistributed ? 'begin' : BEGIN_BY_INDEX);

const BEGIN_BY_INDEX = [
  'begin',
  'set local enable_seqscan = off',
  'set local enable_hashjoin = off',
  'set local enable_mergejoin = off',
].join(';');

/** Several reads of one snapshot: commits in between are not seen, so the results are consistent. */
export function inSnapshot<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return retryCollisions(() => runTransaction(sql, 'begin isolation level repeatable read read only', work));
}

async function retryCollisions<T>(run: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (error) {
      if (tried === MAX_TRIES || classifyDatabaseError(error).kind !== 'retry') throw error;
      // Jitter, or the same two transactions would collide again.
      await delay(FIRST_PAUSE_MS * 2 ** tried * Math.random());
    }
  }
}

function runTransaction<T>(
  sql: TransactionSource,
  begin: string,
  work: (tx: Tx) => Promise<T>,
  commit = 'commit',
): Promise<T> {
  return sql.connections.withConnection(sql.priorityClass, async (connection) => {
    await connection.script(begin);
    const { tx, close } = openTransaction(connection, () => sql.layout);
    let result: T;
    try {
      result = await whileInTransaction(() => work(tx));
    } catch (error) {
      close();
      await rollBack(connection, error);
      // Of statements that are sent together the later ones fail because of the first, whose error may arrive here after theirs.
      throw isOfAborted(error) ? (close() ?? error) : error;
    }
    const failure = close();
    const ended = (await endTransaction(connection, failure === undefined ? commit : 'commit')).at(-1);
    // A statement failed and its error was swallowed; the server has rolled back.
    if (ended?.command !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back by the server');
    return result;
  });
}

async function endTransaction(connection: Connection, commit: string) {
  try {
    return await connection.script(commit);
  } catch (error) {
    await rollBack(connection, error);
    throw error;
  }
}

/** On a lost connection there is nothing left to roll back. */
async function rollBack(connection: Connection, because: unknown): Promise<void> {
  if (isLost(because)) return;
  await connection.script('rollback').catch(() => undefined);
}

function openTransaction(connection: Connection, currentLayout: () => Layout): { tx: Tx; close(): unknown } {
  let isOpen = true;
  let failure: unknown;
  const refuseLate = () => {
    if (!isOpen) throw new Error('a statement came after the end of its transaction');
  };
  const noting = async <R>(answer: Promise<R>): Promise<R> => {
    try {
      return await answer;
    } catch (error) {
      if (!isOfAborted(error)) failure ??= error;
      throw error;
    }
  };
  const tag = createTag(
    async (statement: Compiled, rowMode) => {
      refuseLate();
      return noting(connection.query(statement, rowMode));
    },
    async (text, values = []) => {
      refuseLate();
      return noting(runUnsafe(connection, text, values));
    },
    currentLayout,
  );
  return {
    tx: Object.assign(tag, { isTransaction: true as const }),
    close() {
      isOpen = false;
      return failure;
    },
  };
}
