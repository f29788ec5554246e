import type { Channel } from '../contract.ts';
import { prove } from './prove.ts';
import { credentials, push } from './push.ts';
import { read } from './read.ts';

export const jahez: Channel = {
  app: {
    slug: 'jahez',
    nameEn: 'Jahez',
    nameAr: 'جاهز',
    family: 'delivery_app',
    kind: 'aggregator',
    settings: ['api_base_url', 'client_id', 'client_secret', 'branch_iv_id', 'branches', 'time_zone'],
    apiBaseUrl: 'https://integration-api.jahez.net',
    inbound: { proof: 'token', prove },
  },
  read,
  credentials,
  push,
};
