import { findApp, type InstallOutline } from '../../apps/index.ts';
import type { AppFigures } from '../schema.ts';
import type { SectionContext } from '../section-context.ts';
import { shareOf } from '../share-of.ts';

/** By channel, the highest revenue first. */
export async function readApps(context: SectionContext): Promise<AppFigures[]> {
  const rows = await context.sales();
  const ofApps = rows.filter((row) => row.kind === 'app');
  if (ofApps.length === 0) return [];
  const installs = await context.installs();
  const all = rows.find((row) => row.kind === 'period' && row.is_current)?.revenue ?? 0;
  return ofApps
    .map(({ app_slug, orders, revenue, cancelled }) => {
      const slug = app_slug ?? '';
      const share = shareOf(revenue, all);
      return { app_slug: slug, family: familyOf(slug, installs), orders, revenue, share, cancelled };
    })
    .sort(
      (one, other) =>
        other.revenue - one.revenue || other.orders - one.orders || (one.app_slug < other.app_slug ? -1 : 1),
    );
}

/** Orders outlive their installs, so the catalog is used as well. An app in neither (api, till) is its own family. */
function familyOf(slug: string, installs: readonly InstallOutline[]): string {
  return installs.find((install) => install.app_slug === slug)?.family ?? findApp(slug)?.family ?? slug;
}
