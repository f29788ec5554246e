import type { Tx } from '../platform/database/index.ts';
import { newId } from '../platform/ids.ts';

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

/** What is left of a hundred comes straight over the API. */
export const CHANNELS: readonly DemoChannel[] = [
  {
    ...{ slug: 'jahez', nameEn: 'Jahez', nameAr: 'جاهز', prefix: 'JHZ' },
    ...{ family: 'delivery_app', kind: 'aggregator', shares: [16, 24] },
  },
  {
    ...{ slug: 'hungerstation', nameEn: 'HungerStation', nameAr: 'هنقرستيشن', prefix: 'HS' },
    ...{ family: 'delivery_app', kind: 'aggregator', shares: [14, 22] },
  },
  {
    ...{ slug: 'talabat', nameEn: 'Talabat', nameAr: 'طلبات', prefix: 'TLB' },
    ...{ family: 'delivery_app', kind: 'aggregator', shares: [6, 9] },
  },
  {
    ...{ slug: 'salla', nameEn: 'Salla', nameAr: 'سلة', prefix: 'SL' },
    ...{ family: 'web_store', kind: 'storefront', shares: [18, 8] },
  },
  {
    ...{ slug: 'zid', nameEn: 'Zid', nameAr: 'زد', prefix: 'ZD' },
    ...{ family: 'web_store', kind: 'storefront', shares: [9, 5] },
  },
  {
    ...{ slug: 'amazon-sp', nameEn: 'Amazon', nameAr: 'أمازون', prefix: 'AMZ' },
    ...{ family: 'marketplace', kind: 'marketplace', shares: [7, 3] },
  },
  {
    ...{ slug: 'foodics', nameEn: 'Foodics', nameAr: 'فودكس', prefix: 'FD' },
    ...{ family: 'pos', kind: 'point_of_sale', shares: [22, 24] },
  },
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
