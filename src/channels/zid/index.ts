import type { Channel } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';
import { credentials, fetchOrder, probe, push } from './push.ts';
import { read } from './read.ts';
import { verify } from './verify.ts';

export const zid: Channel = {
  app: {
    slug: 'zid',
    nameEn: 'Zid',
    nameAr: 'زد',
    family: 'web_store',
    kind: 'storefront',
    settings: [
      'webhook_secret',
      'api_base_url',
      'access_token',
      'client_secret',
      'branch_iv_id',
      'branches',
      'time_zone',
    ],
    apiBaseUrl: 'https://api.zid.sa',
    // A delivery has no id: equal bytes are the same delivery.
    inbound: { authentication: 'secret', verify },
  },
  read,
  readOrder: normaliseOrder,
  credentials,
  probe,
  fetchOrder,
  push,
};
