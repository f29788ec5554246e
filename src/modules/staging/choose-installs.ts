import type { DueInstall } from './sql/queue.ts';

/** At least this many installs are chosen when few tenants have something due, so that no worker is idle. */
const AT_LEAST = 4;
/** Tenants whose last install is stored. */
const MAX_TENANTS = 5_000;

/**
 * Chooses which due installs are served next, round-robin: one per tenant, so that a tenant with a hundred busy installs gets as many
 * batches as a tenant with one, and by turns among the installs of a tenant.
 */
export function createInstallRotation(): { choose(due: readonly DueInstall[]): DueInstall[] } {
  const lastServed = new Map<string, string>();

  /** Starting after the install that was served last. */
  function inTurn(tenantId: string, installs: readonly DueInstall[]): DueInstall[] {
    const last = lastServed.get(tenantId) ?? '';
    return [...installs.filter(({ id }) => id > last), ...installs.filter(({ id }) => id <= last)];
  }

  return {
    choose(due) {
      const tenants = [...Map.groupBy(due, ({ organization_id }) => organization_id)].map(([tenantId, installs]) =>
        inTurn(tenantId, installs),
      );
      const chosen: DueInstall[] = [];
      for (let round = 0; round === 0 || chosen.length < AT_LEAST; round += 1) {
        const next = tenants.flatMap((installs) => installs[round] ?? []);
        if (next.length === 0) break;
        chosen.push(...next);
      }
      for (const { id, organization_id } of chosen) {
        lastServed.delete(organization_id);
        lastServed.set(organization_id, id);
      }
      for (const tenantId of lastServed.keys()) {
        if (lastServed.size <= MAX_TENANTS) break;
        lastServed.delete(tenantId);
      }
      return chosen;
    },
  };
}
