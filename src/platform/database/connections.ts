import pg from 'pg';
import { isLost, lostConnection, needsFreshConnection } from './errors.ts';
import { clientConfig, type DatabaseAddress, type Limits } from './session-settings.ts';
import type { Compiled, Rows } from './statement.ts';
import { currentTenantContext, refuseInsideTransaction } from './tenant-context.ts';
import { createTurnstile, type Lane } from './turnstile.ts';

export type ConnectionOptions = {
  poolSize: number;
  applicationName: string;
  limits: Limits;
};

/** One connection, held by one caller until it is given back. Statements run one after the other, never interleaved. */
export type Connection = {
  query(statement: Compiled, rowMode: 'object' | 'array'): Promise<Rows<never[]>>;
  /** The simple protocol: any number of statements in one text, without values. */
  script(text: string): Promise<{ command: string; rows: unknown[] }[]>;
};

const MAX_WAITING_PER_TENANT = 300;
const WATCH_EVERY_MS = 1_000;
/** Past the server's own limit for a statement there is no server any more, or no way to it. */
const SILENCE_GRACE_MS = 5_000;

type Held = { client: pg.PoolClient; askedMs: number | undefined };

/**
 * The driver's pool behind a turnstile. The pool opens, keeps and replaces connections; who gets one next is decided before
 * it is asked, so that it never has anybody waiting.
 */
export function openConnections(address: DatabaseAddress, options: ConnectionOptions) {
  const { poolSize, limits } = options;
  const pool = new pg.Pool({ ...clientConfig(address, options), max: poolSize, idleTimeoutMillis: 60_000 });
  // A connection may be lost at any moment, also between two hands. Whoever holds it hears of it by what it asks next; the
  // pool drops those that nobody holds. Without a listener of its own it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const turnstile = createTurnstile({
    places: poolSize,
    maxWaitMs: limits.waitMs,
    maxWaitingPerTenant: MAX_WAITING_PER_TENANT,
  });
  const held = new Set<Held>();
  let ended = false;

  const watch = setInterval(() => {
    const limitMs = performance.now() - limits.statementMs - SILENCE_GRACE_MS;
    for (const { client, askedMs } of held) if (askedMs !== undefined && askedMs < limitMs) cut(client);
  }, WATCH_EVERY_MS);
  watch.unref();

  async function withConnection<T>(lane: Lane, work: (connection: Connection) => Promise<T>): Promise<T> {
    refuseInsideTransaction();
    const tenant = currentTenantContext().tenant ?? '';
    const wait = turnstile.enter(tenant, lane);
    if (wait !== undefined) await wait;
    try {
      return await workOnClient(await checkOut(), work);
    } finally {
      turnstile.leave(tenant, lane);
    }
  }

  async function checkOut(): Promise<pg.PoolClient> {
    if (ended) throw lostConnection('CONNECTION_ENDED', new Error('the pool has been closed'));
    try {
      return await pool.connect();
    } catch (error) {
      throw isLost(error) ? error : lostConnection('CONNECT_TIMEOUT', error);
    }
  }

  async function workOnClient<T>(client: pg.PoolClient, work: (connection: Connection) => Promise<T>): Promise<T> {
    const holding: Held = { client, askedMs: undefined };
    let fresh = true;
    const onLost = () => {
      fresh = false;
    };
    client.on('error', onLost);
    held.add(holding);
    let tail: Promise<unknown> = Promise.resolve();

    /** The next statement leaves when the last has been answered, whether it was awaited or not. */
    const inTurn = <R>(send: (done: (error: Error | null, result: R) => void) => void): Promise<R> => {
      const answer = tail.then(
        () =>
          new Promise<R>((resolve, reject) => {
            holding.askedMs = performance.now();
            send((error, result) => {
              holding.askedMs = undefined;
              if (error === null || error === undefined) return resolve(result);
              if (needsFreshConnection(error)) fresh = false;
              reject(
                error instanceof pg.DatabaseError || isLost(error) ? error : lostConnection('CONNECTION_CLOSED', error),
              );
            });
          }),
      );
      tail = answer.catch(() => undefined);
      return answer;
    };

    const connection: Connection = {
      async query({ text, values, name }, rowMode) {
        const result = await inTurn<pg.QueryResult>((done) =>
          client.query(
            { text, values, name, rowMode: rowMode === 'array' ? 'array' : undefined } as pg.QueryConfig,
            done,
          ),
        );
        return counted(result.rows, result.rowCount ?? 0);
      },
      async script(text) {
        const results = await inTurn<pg.QueryResult | pg.QueryResult[]>((done) =>
          client.query(text, done as (error: Error, result: pg.QueryResult) => void),
        );
        return [results].flat();
      },
    };
    try {
      return await work(connection);
    } finally {
      await tail;
      held.delete(holding);
      client.off('error', onLost);
      // One that is still inside a transaction must never reach another caller.
      client.release(!fresh || client.getTransactionStatus() !== 'I');
    }
  }

  return {
    withConnection,
    figures: turnstile.figures,
    /** Waits for what is under way, up to the limit, then cuts it off. */
    async end(timeoutMs: number): Promise<void> {
      if (ended) return;
      ended = true;
      const cutOff = setTimeout(() => {
        for (const { client } of held) cut(client);
      }, timeoutMs);
      await pool.end();
      clearTimeout(cutOff);
      clearInterval(watch);
    },
  };
}

export type Connections = ReturnType<typeof openConnections>;

/** Everything that waits on it fails at once. The driver has no word for this; its socket has. */
function cut(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } };
  connection.stream.destroy();
}

function counted(rows: unknown[], count: number): Rows<never[]> {
  return Object.defineProperty(rows, 'count', { value: count }) as Rows<never[]>;
}
