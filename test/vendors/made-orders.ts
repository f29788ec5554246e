import { deliverect, hungerstation, jahez, talabat, ubereats } from './made/delivery-apps.ts';
import type { MadeOrder } from './made/made-order.ts';
import { amazonSp, foodics, generic, square, till } from './made/markets-and-tills.ts';
import { magento2, salla, shopify, woocommerce, zid } from './made/web-stores.ts';

export type { Credentials, MadeOrder } from './made/made-order.ts';

export const MADE_ORDERS = {
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
  'amazon-sp': amazonSp,
  square,
  foodics,
  till,
  generic,
} satisfies Record<string, MadeOrder>;

export type OrderingSlug = keyof typeof MADE_ORDERS;
export const ORDERING_SLUGS = Object.keys(MADE_ORDERS) as OrderingSlug[];
