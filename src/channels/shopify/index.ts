import type { Channel } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';
import { credentials, fetchOrder, probe, push } from './push.ts';
import { read } from './read.ts';
import { findDeliveryId, verify } from './verify.ts';

export const shopify: Channel = {
  app: {
    slug: 'shopify',
    nameEn: 'Shopify',
    nameAr: 'شوبيفاي',
    family: 'web_store',
    kind: 'storefront',
    // Every shop has its own host: there is no common `apiBaseUrl`.
    settings: ['webhook_secret', 'api_base_url', 'access_token', 'branch_iv_id', 'branches', 'time_zone'],
    inbound: { authentication: 'signed', verify, findDeliveryId, secretHeaders: ['x-shopify-hmac-sha256'] },
  },
  read,
  readOrder: normaliseOrder,
  credentials,
  probe,
  fetchOrder,
  push,
};
