import type { Channel } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';
import { credentials, fetchOrder, probe, push } from './push.ts';
import { read } from './read.ts';
import { findDeliveryId, verify } from './verify.ts';

export const square: Channel = {
  app: {
    slug: 'square',
    nameEn: 'Square',
    nameAr: 'سكوير',
    family: 'pos',
    kind: 'point_of_sale',
    settings: [
      'webhook_secret',
      'notification_url',
      'api_base_url',
      'access_token',
      'branch_iv_id',
      'branches',
      'time_zone',
    ],
    apiBaseUrl: 'https://connect.squareup.com',
    inbound: {
      authentication: 'signed',
      verify,
      findDeliveryId,
      secretHeaders: ['x-square-hmacsha256-signature', 'x-square-signature'],
    },
  },
  read,
  readOrder: normaliseOrder,
  credentials,
  probe,
  fetchOrder,
  push,
};
