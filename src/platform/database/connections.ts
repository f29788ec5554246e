import type { Socket } from 'node:net';
import pg from 'pg';
import type { SlotKey } from '../fair-limiter/index.ts';
import { isTracing, SPAN_KIND, traced } from '../tracing/tracing.ts';
import { createConnectionLimiter, DatabaseBusy, type PriorityClass, TenantQueueFull } from './connection-limiter.ts';
import { isLost, lostConnection, needsFreshConnection } from './errors.ts';
import { type Layout, ONE_SERVER } from './layout.ts';
import { clientClassOf, clientConfig, type DatabaseAddress, type Limits } from './session-settings.ts';
import type { Compiled, Rows } from './statement.ts';
import { currentTenantContext, refuseInsideTransaction, type TenantContext } from './tenant-context.ts';

export type ConnectionOptions = {
  poolSize: number;
  applicationName: string;
  limits: Limits;
};

/** A connection held by one caller until it is released. Its statements run one after another, never interleaved. */
export type Connection = {
  query(statement: Compiled, rowMode: 'object' | 'array'): Promise<Rows<never[]>>;
  /** The simple query protocol: any number of statements in one text, without parameters. */
  script(text: string): Promise<{ command: string; rows: unknown[] }[]>;
};

/**
 * Four for each request that a tenant may have in progress by default (a page of a list has two): so that its clients meet the limit of
 * requests first. With 300, 400 requests at once had up to a tenth refused.
 */
const MAX_QUEUED_PER_TENANT = 2_000;
const WATCH_EVERY_MS = 1_000;
/** A statement that is unanswered this long after the server's own time limit has lost its server or the network. */
const SILENCE_GRACE_MS = 5_000;

/** A connection in use. `unanswered` statements were sent and have no answer yet; the oldest of them since `askedMs` at least. */
type Held = { client: pg.PoolClient; unanswered: number; askedMs: number; isWatched: boolean };

/**
 * The driver's pool behind a fair limiter. The pool opens, keeps and replaces connections. The limiter decides which caller gets the
 * next one before the pool is asked, so the pool's own queue stays empty.
 *
 * Statements are pipelined: each is sent at once, not after the answer to the one before, and those of one tick in one write. The server
 * runs them in the order in which they were sent.
 */
export function openConnections(address: DatabaseAddress, options: ConnectionOptions) {
  const { poolSize, limits } = options;
  const pool = new pg.Pool({
    ...clientConfig(address, options),
    Client: clientClassOf(address),
    max: poolSize,
    idleTimeoutMillis: 60_000,
    pipeline: true,
  } as pg.PoolConfig);
  /** Free connections that were used within the last second or two. The pool itself takes a tick and two timers to hand one out. */
  let free: pg.PoolClient[] = [];
  let freeBefore: readonly pg.PoolClient[] = [];
  const lost = new WeakSet<pg.PoolClient>();
  // A connection may be lost at any moment. Its holder gets the error from its next statement; the pool drops idle ones. An
  // 'error' event without a listener would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => {
      lost.add(client);
      if (!free.includes(client)) return;
      free = free.filter((other) => other !== client);
      client.release(true);
    });
  });
  const limiter = createConnectionLimiter({
    poolSize,
    maxWaitMs: limits.waitMs,
    maxQueuedPerTenant: MAX_QUEUED_PER_TENANT,
  });
  const held = new Set<Held>();
  let ended = false;
  let layout = ONE_SERVER;

  const watch = setInterval(() => {
    const limitMs = performance.now() - limits.statementMs - SILENCE_GRACE_MS;
    for (const { client, unanswered, askedMs, isWatched } of held) {
      if (isWatched && unanswered > 0 && askedMs < limitMs) cut(client);
    }
    const unused = free.filter((client) => freeBefore.includes(client));
    free = free.filter((client) => !unused.includes(client));
    freeBefore = free;
    for (const client of unused) client.release();
  }, WATCH_EVERY_MS);
  watch.unref();

  async function withConnection<T>(
    priorityClass: PriorityClass,
    work: (connection: Connection) => Promise<T>,
    { isDedicated } = { isDedicated: false },
  ): Promise<T> {
    refuseInsideTransaction();
    const context = currentTenantContext();
    const slot = limiter.acquire(slotKeyOf(context, priorityClass));
    // Most of the time there is a free slot: then no promise is made.
    const release = slot instanceof Promise ? await slot : slot;
    if (release === 'queue full' && context.tenant !== undefined) throw new TenantQueueFull(MAX_QUEUED_PER_TENANT);
    if (release === 'queue full') throw new DatabaseBusy('Too many requests are waiting for the database');
    if (typeof release === 'string') throw new DatabaseBusy('The database was busy for too long');
    try {
      return await workOnClient(free.pop() ?? (await checkOut()), work, isDedicated);
    } finally {
      release();
    }
  }

  function slotKeyOf({ tenant, group }: TenantContext, priorityClass: PriorityClass): SlotKey<PriorityClass> {
    const key = { tenant, class: priorityClass };
    if (!layout.isDistributed || (tenant === undefined && group === undefined)) return key;
    return { ...key, host: layout.nodeOf(group ?? layout.groupOf(tenant as string)) };
  }

  async function checkOut(): Promise<pg.PoolClient> {
    if (ended) throw lostConnection('CONNECTION_ENDED', new Error('the pool has been closed'));
    try {
      return await pool.connect();
    } catch (error) {
      throw isLost(error) ? error : lostConnection('CONNECT_TIMEOUT', error);
    }
  }

  /**
   * A dedicated connection is for statements that may take hours: it is not watched for silence, and closed at the end, so that its
   * session settings and session locks reach no other caller.
   */
  async function workOnClient<T>(
    client: pg.PoolClient,
    work: (connection: Connection) => Promise<T>,
    isDedicated: boolean,
  ): Promise<T> {
    const holding: Held = { client, unanswered: 0, askedMs: 0, isWatched: !isDedicated };
    const { stream } = socketOf(client);
    let isCorked = false;
    let needsFresh = false;
    let allAnswered: PromiseWithResolvers<void> | undefined;
    held.add(holding);

    const sendTogether = () => {
      isCorked = false;
      stream.uncork();
    };

    const send = <R>(submit: (done: (error: Error | null, result: R) => void) => void): Promise<R> =>
      new Promise<R>((resolve, reject) => {
        if (holding.unanswered === 0) holding.askedMs = performance.now();
        holding.unanswered += 1;
        if (!isCorked) {
          isCorked = true;
          stream.cork();
          process.nextTick(sendTogether);
        }
        submit((error, result) => {
          holding.unanswered -= 1;
          if (holding.unanswered > 0) holding.askedMs = performance.now();
          else allAnswered?.resolve();
          if (error === null || error === undefined) return resolve(result);
          if (needsFreshConnection(error)) needsFresh = true;
          reject(
            error instanceof pg.DatabaseError || isLost(error) ? error : lostConnection('CONNECTION_CLOSED', error),
          );
        });
      });

    const connection: Connection = {
      async query({ text, values, name }, rowMode) {
        const ask = () =>
          send<pg.QueryResult>((done) =>
            client.query(
              { text, values, name, rowMode: rowMode === 'array' ? 'array' : undefined } as pg.QueryConfig,
              done,
            ),
          );
        // The text has no values in it: they are parameters.
        const result = await (isTracing() ? traced('sql', SPAN_KIND.client, describeStatement(text), ask) : ask());
        return counted(result.rows, result.rowCount ?? 0);
      },
      async script(text) {
        const results = await send<pg.QueryResult | pg.QueryResult[]>((done) =>
          client.query(text, done as (error: Error, result: pg.QueryResult) => void),
        );
        return [results].flat();
      },
    };
    try {
      return await work(connection);
    } finally {
      if (holding.unanswered > 0) {
        allAnswered = Promise.withResolvers();
        await allAnswered.promise;
      }
      held.delete(holding);
      // A connection that is still inside a transaction must not reach another caller.
      if (isDedicated || needsFresh || lost.has(client) || client.getTransactionStatus() !== 'I') client.release(true);
      else if (ended) client.release();
      else free.push(client);
    }
  }

  return {
    withConnection,
    layout: () => layout,
    useLayout(read: Layout) {
      layout = read;
    },
    /** Waits for running statements up to the limit, then closes their connections. */
    async end(timeoutMs: number): Promise<void> {
      if (ended) return;
      ended = true;
      for (const client of free.splice(0)) client.release();
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

/** Running statements fail at once. The driver has no method for this; its socket has. */
function cut(client: pg.PoolClient): void {
  socketOf(client).stream.destroy();
}

function socketOf(client: pg.PoolClient): { stream: Socket } {
  return (client as unknown as { connection: { stream: Socket } }).connection;
}

function describeStatement(text: string) {
  return { 'db.system.name': 'postgresql', 'db.query.text': text.replace(/\s+/g, ' ').trim() };
}

function counted(rows: unknown[], count: number): Rows<never[]> {
  return Object.defineProperty(rows, 'count', { value: count }) as Rows<never[]>;
}
