import { type Channel, hasIngestToken } from '../contract.ts';
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
    // The vendor documents no signature.
    inbound: { authentication: 'token', verify: hasIngestToken },
  },
  read,
  credentials,
  push,
};
