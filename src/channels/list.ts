import type { Channel } from './contract.ts';
import { magento2 } from './magento2/index.ts';
import { salla } from './salla/index.ts';
import { shopify } from './shopify/index.ts';
import { woocommerce } from './woocommerce/index.ts';
import { zid } from './zid/index.ts';

/** Every channel there is. A new vendor is a folder and a line here. */
export const CHANNELS: readonly Channel[] = [shopify, salla, woocommerce, zid, magento2];

const bySlug = new Map(CHANNELS.map((channel) => [channel.app.slug, channel]));

export function findChannel(slug: string): Channel | undefined {
  return bySlug.get(slug);
}
