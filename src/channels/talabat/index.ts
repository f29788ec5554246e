import type { Channel } from '../contract.ts';
import { credentials, push } from './push.ts';
import { read } from './read.ts';
import { verify } from './verify.ts';

export const talabat: Channel = {
  app: {
    slug: 'talabat',
    nameEn: 'Talabat',
    nameAr: 'طلبات',
    family: 'delivery_app',
    kind: 'aggregator',
    settings: ['webhook_secret', 'api_base_url', 'client_id', 'client_secret', 'branch_iv_id', 'branches', 'time_zone'],
    apiBaseUrl: 'https://integration-middleware.me.restaurant-partners.com',
    inbound: { authentication: 'secret', verify },
  },
  read,
  credentials,
  push,
};
