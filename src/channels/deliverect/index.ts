import type { Channel } from '../contract.ts';
import { credentials, push } from './push.ts';
import { read } from './read.ts';
import { SIGNATURE_HEADERS, verify } from './verify.ts';

export const deliverect: Channel = {
  app: {
    slug: 'deliverect',
    nameEn: 'Deliverect',
    nameAr: 'دليفركت',
    family: 'delivery_app',
    kind: 'aggregator',
    settings: [
      'webhook_secret',
      'api_base_url',
      'access_token',
      'client_id',
      'client_secret',
      'branch_iv_id',
      'branches',
      'time_zone',
    ],
    apiBaseUrl: 'https://api.deliverect.com',
    inbound: { authentication: 'signed', verify, secretHeaders: SIGNATURE_HEADERS },
  },
  read,
  credentials,
  push,
};
