import { type Channel, hasIngestToken } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';
import { credentials, fetchOrder, probe, push } from './push.ts';
import { read } from './read.ts';

export const foodics: Channel = {
  app: {
    slug: 'foodics',
    nameEn: 'Foodics',
    nameAr: 'فودكس',
    family: 'pos',
    kind: 'point_of_sale',
    settings: ['api_base_url', 'access_token', 'branch_iv_id', 'branches', 'time_zone'],
    apiBaseUrl: 'https://api.foodics.com',
    // The documentation describes no signature and no event id: equal bytes are the same delivery.
    inbound: { authentication: 'token', verify: hasIngestToken },
  },
  read,
  readOrder: normaliseOrder,
  credentials,
  probe,
  fetchOrder,
  push,
};
