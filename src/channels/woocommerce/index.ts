import type { Channel } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';
import { findDeliveryId, prove } from './prove.ts';
import { credentials, fetchOrder, push } from './push.ts';
import { read } from './read.ts';

export const woocommerce: Channel = {
  app: {
    slug: 'woocommerce',
    nameEn: 'WooCommerce',
    nameAr: 'ووكومرس',
    family: 'web_store',
    kind: 'storefront',
    settings: ['webhook_secret', 'api_base_url', 'client_id', 'client_secret', 'branch_iv_id', 'branches', 'time_zone'],
    inbound: { proof: 'signed', prove, findDeliveryId, secretHeaders: ['x-wc-webhook-signature'] },
  },
  read,
  readOrder: normaliseOrder,
  credentials,
  fetchOrder,
  push,
};
