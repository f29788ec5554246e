import { type Channel, findIdInBody, hasIngestToken } from '../contract.ts';
import { normaliseOrder } from './normalise.ts';
import { credentials, fetchOrder, poll, probe, push, TOKEN_HOST } from './push.ts';
import { read } from './read.ts';

export const amazonSp: Channel = {
  app: {
    slug: 'amazon-sp',
    nameEn: 'Amazon',
    nameAr: 'أمازون',
    family: 'marketplace',
    kind: 'marketplace',
    settings: [
      'api_base_url',
      'access_token',
      'client_id',
      'client_secret',
      'shop_id',
      'branch_iv_id',
      'branches',
      'time_zone',
    ],
    // The region of Saudi Arabia, the Emirates and Egypt.
    apiBaseUrl: 'https://sellingpartnerapi-eu.amazon.com',
    tokenBaseUrl: TOKEN_HOST,
    // Amazon sends notifications to queues, not to URLs: the merchant's consumer forwards them with the ingest token.
    inbound: {
      authentication: 'token',
      verify: hasIngestToken,
      findDeliveryId: (call) =>
        findIdInBody(call, 'NotificationMetadata', 'NotificationId') ??
        findIdInBody(call, 'detail', 'NotificationMetadata', 'NotificationId'),
    },
  },
  read,
  readOrder: normaliseOrder,
  pollsOutlines: true,
  credentials,
  probe,
  fetchOrder,
  poll,
  push,
};
