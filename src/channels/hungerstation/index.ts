import type { Channel } from '../contract.ts';
import { prove } from './prove.ts';
import { credentials, push } from './push.ts';
import { read } from './read.ts';

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
    inbound: { proof: 'secret', prove },
  },
  read,
  credentials,
  push,
};
