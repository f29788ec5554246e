import type { Sql, Tx } from './connect.ts';

/** Several reads of one instant: what others commit in between is not seen, so the answers agree with each other. */
export function inSnapshot<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return sql.begin('isolation level repeatable read read only', (tx) => work(tx)) as Promise<T>;
}
