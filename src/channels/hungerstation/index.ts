import type { Channel } from '../contract.ts';
import { credentials, push } from './push.ts';
import { read } from './read.ts';
import { verify } from './verify.ts';

export const hungerstation: Channel = {
  app: {
    slug: 'hungerstation',
    nameEn: 'HungerStation',
    nameAr: 'هنقرستيشن',
    family: 'delivery_app',
    kind: 'aggregator',
    settings: [
      'webhook_secret',
      'api_base_url',
      'client_id',
      'client_secret',
      'chain_id',
      'branch_iv_id',
      'branches',
      'time_zone',
    ],
    apiBaseUrl: 'https://hungerstation.partner.deliveryhero.io',
    inbound: { authentication: 'secret', verify },
  },
  read,
  credentials,
  push,
};
