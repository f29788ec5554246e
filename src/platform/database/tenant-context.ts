import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * On whose behalf the database is being asked, and whether that somebody holds a connection already. It follows the flow
 * of the code by itself: rules need not hand it down.
 */
export type TenantContext = { tenant: string | undefined; transaction: { open: boolean } | undefined };

const turns = new AsyncLocalStorage<TenantContext>();

/** Nobody's in particular: background work, and reads that several tenants share. */
const NOBODY: TenantContext = { tenant: undefined, transaction: undefined };

export function currentTenantContext(): TenantContext {
  return turns.getStore() ?? NOBODY;
}

/** Everything that `work` asks of the database counts as this tenant's. */
export function withTenant<T>(tenant: string, work: () => T): T {
  return turns.run({ tenant, transaction: undefined }, work);
}

/** For work that is begun by one caller and done for several. A statement counts where it is awaited, not where it is written. */
export function withoutTenant<T>(work: () => T): T {
  return turns.run(NOBODY, work);
}

export async function whileInTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { open: true };
  try {
    // Awaited inside: a statement that `work` gives back has not run yet.
    return await turns.run({ tenant: currentTenantContext().tenant, transaction }, async () => await work());
  } finally {
    transaction.open = false;
  }
}

/**
 * Whoever holds one connection and waits for a second can wait for ever: enough of them together hold all there are. So
 * it is refused every time, not only when it happens to go wrong.
 */
export function refuseInsideTransaction(): void {
  if (currentTenantContext().transaction?.open) {
    throw new Error('the pool was asked for a connection inside a transaction: read before it, or through its own tx');
  }
}
