import type { Channel } from '../contract.ts';
import { credentials, fetchOrder, probe, push } from './push.ts';
import { read, readOrder } from './read.ts';
import { verify } from './verify.ts';

export const salla: Channel = {
  app: {
    slug: 'salla',
    nameEn: 'Salla',
    nameAr: 'سلة',
    family: 'web_store',
    kind: 'storefront',
    settings: [
      'webhook_secret',
      'api_base_url',
      'access_token',
      'branch_iv_id',
      'branches',
      'completed_means',
      'time_zone',
    ],
    apiBaseUrl: 'https://api.salla.dev',
    // A delivery has no id: equal bytes are the same delivery.
    inbound: { authentication: 'signed', verify, secretHeaders: ['x-salla-signature'] },
  },
  read,
  readOrder,
  credentials,
  probe,
  fetchOrder,
  push,
};
