import type { PriorityClass } from './connection-limiter.ts';
import { type Connections, openConnections } from './connections.ts';
import type { Layout } from './layout.ts';
import { createListening, type Listener, type Subscription } from './listening.ts';
import { BACKGROUND_LIMITS, type DatabaseAddress, type Limits } from './session-settings.ts';
import { Identifiers, Json, LongText, type Rows, RowValues, type Run, Statement, type Value } from './statement.ts';

/** Columns of a row without a declared type. */
// biome-ignore lint/suspicious/noExplicitAny: the statement determines its columns.
export type AnyRow = Record<string, any>;

/**
 * SQL in tagged templates. Values in `${}` are sent as parameters, never as text, except for nested templates (SQL fragments) and
 * results of the tag itself: `sql('name')` is an identifier, `sql(row)` the columns and values of an insert or update.
 */
export interface Queryable {
  <T extends readonly unknown[] = AnyRow[]>(strings: TemplateStringsArray, ...values: readonly Value[]): Statement<T>;
  (names: string | readonly string[]): Identifiers;
  (rows: object | readonly object[]): RowValues;
  json(value: unknown): Json;
  /** A well-formed text of kilobytes. Cast it to `text`, whatever it becomes afterwards: `${sql.text(json)}::text::json`. */
  text(value: string): LongText;
  /** Where the rows of tenants are: on one server, or spread over a cluster. */
  readonly layout: Layout;
  /** SQL built at run time, never from user input. Without values it may be several statements. */
  unsafe<T extends readonly unknown[] = AnyRow[]>(text: string, values?: readonly unknown[]): Promise<Rows<T>>;
}

/** A transaction. Functions that lock rows accept only this. */
export interface Tx extends Queryable {
  readonly isTransaction: true;
}

export interface Sql extends Queryable {
  /** The same, for reads that may take long: they have a small share of the pool and a queue of their own. */
  readonly expensive: Sql;
  readonly connections: Connections;
  readonly priorityClass: PriorityClass;
  /** Called once, before the first use of tables that a cluster spreads. */
  useLayout(layout: Layout): void;
  /** `onListening` is called at the start and after every reconnect. */
  listen(channel: string, onNotice: (payload: string) => void, onListening?: () => void): Promise<Subscription>;
  end(options?: { timeout: number }): Promise<void>;
}

export type ConnectOptions = { poolSize: number; applicationName: string; limits?: Limits };

export function connectDatabase(address: DatabaseAddress, connectOptions: ConnectOptions): Sql {
  const options = { ...connectOptions, limits: connectOptions.limits ?? BACKGROUND_LIMITS };
  const connections = openConnections(address, options);
  const listening = createListening(address, options);

  function sqlIn(priorityClass: PriorityClass, expensive?: Sql): Sql {
    const run: Run = (statement, rowMode) =>
      connections.withConnection(priorityClass, (connection) => connection.query(statement, rowMode));
    const unsafe = (text: string, values: readonly unknown[] = []) =>
      connections.withConnection(priorityClass, (connection) => runUnsafe(connection, text, values));
    const sql = Object.assign(createTag(run, unsafe, connections.layout), {
      connections,
      priorityClass,
      useLayout: connections.useLayout,
      listen: (channel: string, onNotice: Listener['onNotice'], onListening?: () => void) =>
        listening.listen(channel, { onNotice, onListening }),
      async end({ timeout }: { timeout: number } = { timeout: 5 }) {
        await Promise.all([listening.end(), connections.end(timeout * 1000)]);
      },
    });
    return Object.assign(sql, { expensive: expensive ?? sql }) as Sql;
  }
  return sqlIn('normal', sqlIn('expensive'));
}

type RunUnsafe = (text: string, values?: readonly unknown[]) => Promise<unknown>;

export function createTag(run: Run, unsafe: RunUnsafe, currentLayout: () => Layout): Queryable {
  const tag = (first: TemplateStringsArray | string | object, ...values: Value[]) => {
    if (Array.isArray(first) && 'raw' in first) return new Statement(run, first, values);
    if (typeof first === 'string') return new Identifiers(first);
    return Array.isArray(first) && typeof first[0] === 'string' ? new Identifiers(first) : new RowValues(first);
  };
  Object.defineProperty(tag, 'layout', { get: currentLayout });
  return Object.assign(tag, {
    unsafe,
    json: (value: unknown) => new Json(value),
    text: (value: string) => new LongText(value),
  }) as unknown as Queryable;
}

export async function runUnsafe(
  connection: Parameters<Parameters<Connections['withConnection']>[1]>[0],
  text: string,
  values: readonly unknown[],
): Promise<unknown> {
  if (values.length > 0) return connection.query({ text, values: [...values], name: undefined }, 'object');
  const results = await connection.script(text);
  return results.flatMap((result) => result.rows ?? []);
}
