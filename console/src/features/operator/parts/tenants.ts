import { useName } from '../../../i18n/index.ts';
import { useRead } from '../../../platform/index.ts';

const KEPT_MS = 60_000;

/** All organizations, from the fleet figures, which are not paged: gives names to lists that hold only ids. */
export function useTenants() {
  return useRead('readFleetMetrics', {}, { staleTime: KEPT_MS });
}

/** The name in the current language; the given one while it loads. */
export function useTenantName(): (id: string, known?: string) => string {
  const name = useName();
  const { data } = useTenants();
  const names = new Map(data?.organizations.map((one) => [one.organization_id, name(one)]));
  return (id, known) => names.get(id) ?? known ?? id.slice(-8);
}
