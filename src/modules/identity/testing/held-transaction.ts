import { inTransaction, type Sql, type Tx } from '../../../platform/database/index.ts';

/** A transaction that stays open until `commit` is called. */
export async function heldTransaction(
  sql: Sql,
  work: (tx: Tx) => Promise<unknown>,
): Promise<{ commit(): Promise<void> }> {
  const done = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const transaction = inTransaction(sql, async (tx) => {
    await work(tx);
    done.resolve();
    await release.promise;
  });
  await Promise.race([done.promise, transaction]);
  return {
    commit() {
      release.resolve();
      return transaction;
    },
  };
}
