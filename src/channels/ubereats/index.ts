import type { Channel } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';
import { credentials, fetchOrder, PUBLIC_HOST, PUBLIC_LOGIN, push } from './push.ts';
import { read } from './read.ts';
import { findDeliveryId, verify } from './verify.ts';

export const ubereats: Channel = {
  app: {
    slug: 'ubereats',
    nameEn: 'Uber Eats',
    nameAr: 'أوبر إيتس',
    family: 'delivery_app',
    kind: 'aggregator',
    settings: ['webhook_secret', 'api_base_url', 'client_id', 'client_secret', 'branch_iv_id', 'branches', 'time_zone'],
    apiBaseUrl: PUBLIC_HOST,
    tokenBaseUrl: PUBLIC_LOGIN,
    inbound: {
      authentication: 'signed',
      verify,
      findDeliveryId,
      secretHeaders: ['x-uber-signature'],
      successStatus: 200,
    },
  },
  read,
  readOrder: normaliseOrder,
  credentials,
  fetchOrder,
  push,
};
