import { useName } from '../../i18n/index.ts';
import { useRead } from '../../platform/index.ts';
import type { Install } from './families.ts';

/** Installs by id, named so that two installs of one app differ. */
export function useInstalls(): { rows: readonly Install[]; nameOf(id: string): string | undefined } {
  const name = useName();
  const rows = useRead('listApps', {}, { staleTime: 60_000 }).data?.data ?? [];
  return {
    rows,
    nameOf(id) {
      const install = rows.find((row) => row.id === id);
      if (install === undefined) return undefined;
      const same = rows.filter(({ app_slug }) => app_slug === install.app_slug);
      return same.length < 2 ? name(install) : `${name(install)} ${same.indexOf(install) + 1}`;
    },
  };
}
