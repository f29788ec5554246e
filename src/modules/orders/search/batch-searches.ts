import { refuseInsideTransaction, type Sql } from '../../../platform/database/index.ts';
import { findSearched, type Searched, type SearchKey, type SearchLimits } from '../sql/find-searched.ts';

/** With `limits.orders` of 256 kB each: 16 MB. */
const MAX_BATCH = 16;
/** Statements of one tenant in flight. */
const PARALLEL = 2;

type Waiting = SearchKey & { resolve: (found: Searched) => void; reject: (cause: unknown) => void };
type Tenant = { waiting: Waiting[]; inFlight: number };

export type FindSearched = (organizationId: string, key: SearchKey) => Promise<Searched>;

/**
 * Searches of a tenant that arrive while others of it are running share one statement: its start costs more than an index look-up.
 * Tenants do not share statements, so that a long search delays those of its own tenant only.
 *
 * A search joins only a statement that has not been sent: a running one may have read before the caller's own last write.
 */
export function batchSearches(sql: Sql, limits: SearchLimits): FindSearched {
  const tenants = new Map<string, Tenant>();

  async function send(organizationId: string, tenant: Tenant): Promise<void> {
    const batch = tenant.waiting.splice(0, MAX_BATCH);
    tenant.inFlight += 1;
    try {
      const found = await findSearched(sql, organizationId, batch, limits);
      for (const [index, { resolve }] of batch.entries()) resolve(found[index] as Searched);
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    } finally {
      tenant.inFlight -= 1;
      if (tenant.waiting.length > 0) void send(organizationId, tenant);
      else if (tenant.inFlight === 0) tenants.delete(organizationId);
    }
  }

  return (organizationId, key) => {
    refuseInsideTransaction();
    const tenant = tenants.get(organizationId) ?? { waiting: [], inFlight: 0 };
    tenants.set(organizationId, tenant);
    const { promise, resolve, reject } = Promise.withResolvers<Searched>();
    tenant.waiting.push({ ...key, resolve, reject });
    if (tenant.inFlight < PARALLEL) void send(organizationId, tenant);
    return promise;
  };
}
