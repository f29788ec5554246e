import type { Tx } from '../platform/database/index.ts';
import { newId } from '../platform/ids.ts';
import type { Names } from './words/word-list.ts';

export type DemoChannel = {
  slug: string;
  nameEn: string;
  nameAr: string;
  family: 'delivery_app' | 'web_store' | 'marketplace' | 'pos';
  kind: string;
  /** How many of a hundred orders come through it, in each of the two shops. */
  shares: readonly [pharmacy: number, grocery: number];
  prefix: string;
};

const channel = (
  slug: string,
  [nameEn, nameAr]: Names,
  prefix: string,
  [family, kind]: [DemoChannel['family'], string],
  shares: DemoChannel['shares'],
): DemoChannel => ({ slug, nameEn, nameAr, prefix, family, kind, shares });

/** What is left of a hundred comes straight over the API. */
export const CHANNELS: readonly DemoChannel[] = [
  channel('jahez', ['Jahez', 'جاهز'], 'JHZ', ['delivery_app', 'aggregator'], [16, 24]),
  channel('hungerstation', ['HungerStation', 'هنقرستيشن'], 'HS', ['delivery_app', 'aggregator'], [14, 22]),
  channel('talabat', ['Talabat', 'طلبات'], 'TLB', ['delivery_app', 'aggregator'], [6, 9]),
  channel('salla', ['Salla', 'سلة'], 'SL', ['web_store', 'storefront'], [18, 8]),
  channel('zid', ['Zid', 'زد'], 'ZD', ['web_store', 'storefront'], [9, 5]),
  channel('amazon-sp', ['Amazon', 'أمازون'], 'AMZ', ['marketplace', 'marketplace'], [7, 3]),
  channel('foodics', ['Foodics', 'فودكس'], 'FD', ['pos', 'point_of_sale'], [22, 24]),
];

/** The ids of the installs by the app they are of. */
export async function installChannels(tx: Tx, organizationId: string, installedAt: Date): Promise<Map<string, string>> {
  const installs = CHANNELS.map((channel) => ({
    organization_id: organizationId,
    id: newId(),
    app_slug: channel.slug,
    name_en: channel.nameEn,
    name_ar: channel.nameAr,
    family: channel.family,
    kind: channel.kind,
    created: installedAt,
    updated: installedAt,
  }));
  await tx`insert into app_installs ${tx(installs)}`;
  return new Map(installs.map((install) => [install.app_slug, install.id]));
}
