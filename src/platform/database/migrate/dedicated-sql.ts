import { createTag, type Queryable, runUnsafe } from '../connect.ts';
import type { Connection } from '../connections.ts';
import { type Layout, ONE_SERVER } from '../layout.ts';
import { refuseInsideTransaction } from '../tenant-context.ts';
import type { TransactionSource } from '../transaction.ts';

/** SQL on one connection. `inTransaction` accepts it; transactions run one after another. */
export type DedicatedSql = Queryable & TransactionSource;

export function dedicatedSql(connection: Connection, layout: Layout = ONE_SERVER): DedicatedSql {
  let tail: Promise<unknown> = Promise.resolve();
  function inOrder<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    refuseInsideTransaction();
    const done = tail.then(() => work(connection));
    tail = done.catch(() => undefined);
    return done;
  }
  const tag = createTag(
    (statement, rowMode) => inOrder(() => connection.query(statement, rowMode)),
    (text, values = []) => inOrder(() => runUnsafe(connection, text, values)),
    () => layout,
  );
  return Object.assign(tag, {
    priorityClass: 'normal' as const,
    connections: {
      withConnection: <T>(_class: unknown, work: (connection: Connection) => Promise<T>) => inOrder(work),
    },
  });
}
