import type { Channel } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';
import { credentials, fetchOrder, probe, push } from './push.ts';
import { read } from './read.ts';
import { findDeliveryId, verify } from './verify.ts';

export const woocommerce: Channel = {
  app: {
    slug: 'woocommerce',
    nameEn: 'WooCommerce',
    nameAr: 'ووكومرس',
    family: 'web_store',
    kind: 'storefront',
    settings: ['webhook_secret', 'api_base_url', 'client_id', 'client_secret', 'branch_iv_id', 'branches', 'time_zone'],
    inbound: { authentication: 'signed', verify, findDeliveryId, secretHeaders: ['x-wc-webhook-signature'] },
  },
  read,
  readOrder: normaliseOrder,
  credentials,
  probe,
  fetchOrder,
  push,
};
