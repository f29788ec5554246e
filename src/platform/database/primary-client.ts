import pg from 'pg';

export type Host = { host: string; port: number };

/** A host that does not answer within this time is passed over. */
const PROBE_MS = 2_000;
const IS_READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

/** By their hosts: the pools and the listening connections of a process search once for all of them. */
const finders = new Map<string, PrimaryFinder>();

type PrimaryFinder = { find(config: pg.ClientConfig): Promise<Host>; forget(host: Host): void };

/**
 * The driver connects to one host. With several, this client connects to the one that takes writes, as libpq does with
 * `target_session_attrs=read-write`: the hosts are tried in their order, and the found one is remembered until a connection to it fails
 * or turns out to be read-only. Each new connection is checked, so that a primary that became a standby is left.
 */
export function clientFor(hosts: readonly Host[]): typeof pg.Client {
  if (hosts.length < 2) return pg.Client;
  const name = JSON.stringify(hosts);
  const finder = finders.get(name) ?? createFinder(hosts);
  finders.set(name, finder);

  return class PrimaryClient extends pg.Client {
    private readonly given: pg.ClientConfig;

    constructor(config: pg.ClientConfig) {
      super(config);
      this.given = config;
    }

    /** The pool calls it with a callback, other code without. */
    // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads.
    override connect(callback?: any): any {
      const connecting = this.connectToPrimary();
      if (callback === undefined) return connecting;
      connecting.then(
        () => callback(null, this),
        (error: Error) => callback(error),
      );
    }

    private async connectToPrimary(): Promise<pg.Client> {
      const found = await finder.find(this.given);
      Object.assign(this, found);
      try {
        await super.connect();
        if (await isReadOnly(this)) throw readOnly();
        return this;
      } catch (error) {
        finder.forget(found);
        void this.end().catch(() => undefined);
        throw error;
      }
    }
  } as typeof pg.Client;
}

function createFinder(hosts: readonly Host[]): PrimaryFinder {
  let found: Promise<Host> | undefined;
  return {
    async find(config) {
      // One search at a time: a pool opens many connections at once.
      const searching = found ?? findPrimary(hosts, config);
      found = searching;
      try {
        return await searching;
      } catch (error) {
        if (found === searching) found = undefined;
        throw error;
      }
    },
    forget(host) {
      const current = found;
      void current?.then(
        (other) => {
          if (other === host && found === current) found = undefined;
        },
        () => undefined,
      );
    },
  };
}

/** The first host that takes writes. */
export async function findPrimary(hosts: readonly Host[], config: pg.ClientConfig): Promise<Host> {
  let last: unknown;
  for (const host of hosts) {
    try {
      if (!(await probe(host, config))) return host;
      last = readOnly();
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

async function probe(host: Host, config: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: PROBE_MS, query_timeout: PROBE_MS });
  client.on('error', () => undefined);
  Object.assign(client, host);
  try {
    await client.connect();
    return await isReadOnly(client);
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function isReadOnly(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isReadOnly: boolean }>(IS_READ_ONLY);
  return rows[0]?.isReadOnly !== false;
}

/** Transient for the callers: a standby may be promoted the next moment. */
function readOnly(): Error {
  return Object.assign(new Error('no host of DATABASE_URL takes writes'), { code: '25006' });
}
