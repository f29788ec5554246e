import { type Channel, hasIngestToken } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';
import { poll } from './poll.ts';
import { credentials, fetchOrder, probe, push } from './push.ts';
import { read } from './read.ts';

export const magento2: Channel = {
  app: {
    slug: 'magento2',
    nameEn: 'Magento 2',
    nameAr: 'ماجنتو 2',
    family: 'web_store',
    kind: 'storefront',
    settings: ['api_base_url', 'access_token', 'branch_iv_id', 'branches', 'completed_means'],
    // The open source edition signs nothing: a store's module authenticates with the ingest token.
    inbound: { authentication: 'token', verify: hasIngestToken },
  },
  read,
  readOrder: normaliseOrder,
  credentials,
  probe,
  fetchOrder,
  poll,
  push,
};
