import { amazonSp } from './amazon-sp/index.ts';
import type { Channel } from './contract.ts';
import { deliverect } from './deliverect/index.ts';
import { foodics } from './foodics/index.ts';
import { generic } from './generic/index.ts';
import { hungerstation } from './hungerstation/index.ts';
import { jahez } from './jahez/index.ts';
import { magento2 } from './magento2/index.ts';
import { salla } from './salla/index.ts';
import { shopify } from './shopify/index.ts';
import { square } from './square/index.ts';
import { talabat } from './talabat/index.ts';
import { till } from './till/index.ts';
import { ubereats } from './ubereats/index.ts';
import { woocommerce } from './woocommerce/index.ts';
import { zid } from './zid/index.ts';

/** All channels. A new vendor is a folder and a line here. */
export const CHANNELS: readonly Channel[] = [
  shopify,
  woocommerce,
  salla,
  zid,
  magento2,
  hungerstation,
  talabat,
  jahez,
  deliverect,
  ubereats,
  amazonSp,
  square,
  foodics,
  till,
  generic,
];

const bySlug = new Map(CHANNELS.map((channel) => [channel.app.slug, channel]));

export function findChannel(slug: string): Channel | undefined {
  return bySlug.get(slug);
}
