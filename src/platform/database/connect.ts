import postgres from 'postgres';

export type NumericTypes = { numeric: number; bigint: number };
export type Sql = postgres.Sql<NumericTypes>;
/** A transaction. Functions that lock rows accept only this. */
export type Tx = postgres.TransactionSql<NumericTypes>;
/** Either: for statements that need no transaction of their own. */
export type Queryable = Sql | Tx;

export type DatabaseAddress = string | { host: string; port: number; user: string; password: string; database: string };

export type ConnectOptions = { poolSize: number; applicationName: string };

/**
 * numeric and bigint arrive as JavaScript numbers: amounts stay under 10^12 with few decimals and counts under 2^53,
 * both exact in a double.
 */
export function connectDatabase(address: DatabaseAddress, options: ConnectOptions): Sql {
  const settings = {
    max: options.poolSize,
    connect_timeout: 5,
    // The driver's own waits up to 20 s, and every request with it, long after the database is back.
    backoff: (failures: number) => Math.min(0.02 * 2 ** failures, 0.5) * (0.5 + Math.random() / 2),
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      // An insert that fills the pending list of a search index folds it in: with the server's 4 MB that would be felt.
      gin_pending_list_limit: '512kB',
    },
    types: {
      numeric: { to: 1700, from: [1700], serialize: String, parse: Number },
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
    },
  };
  return typeof address === 'string' ? postgres(address, settings) : postgres({ ...address, ...settings });
}

/** Every rule that writes runs in one of these; what it throws rolls everything back. */
export function inTransaction<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return sql.begin((tx) => work(tx)) as Promise<T>;
}
