import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The tenant that database work counts for, and whether the caller holds a connection already. Carried by AsyncLocalStorage, so that
 * rules need not pass it on.
 */
export type TenantContext = {
  tenant: string | undefined;
  /** Of work for several tenants of one group. */
  group?: string | undefined;
  transaction: { open: boolean } | undefined;
};

const contexts = new AsyncLocalStorage<TenantContext>();

/** Background work, and reads that several tenants share. */
const WITHOUT_TENANT: TenantContext = { tenant: undefined, transaction: undefined };

export function currentTenantContext(): TenantContext {
  return contexts.getStore() ?? WITHOUT_TENANT;
}

/** All database work of `work` counts for this tenant. */
export function withTenant<T>(tenant: string, work: () => T): T {
  return contexts.run({ tenant, transaction: undefined }, work);
}

/** Database work for tenants of one group, which on a cluster are on one node. */
export function withGroup<T>(group: string, work: () => T): T {
  return contexts.run({ tenant: undefined, group, transaction: undefined }, work);
}

/** For work that one caller starts for several. A statement counts where it is awaited, not where it is created. */
export function withoutTenant<T>(work: () => T): T {
  return contexts.run(WITHOUT_TENANT, work);
}

export async function whileInTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { open: true };
  try {
    // Awaited inside: a statement that `work` returns has not run yet.
    return await contexts.run({ ...currentTenantContext(), transaction }, async () => await work());
  } finally {
    transaction.open = false;
  }
}

/**
 * A caller that holds one connection and waits for a second can deadlock the pool when enough others do the same. Refused every
 * time, so that the mistake shows before the pool is full.
 */
export function refuseInsideTransaction(): void {
  if (currentTenantContext().transaction?.open) {
    throw new Error('the pool was asked for a connection inside a transaction: read before it, or through its own tx');
  }
}
