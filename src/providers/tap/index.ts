import { bearer, type GatewayProvider } from '../contract.ts';
import { readBack, readTransaction } from './read.ts';
import { verify } from './verify.ts';

export const tap: GatewayProvider = {
  type: 'gateway_sync',
  id: 'tap',
  nameEn: 'Tap',
  nameAr: 'تاب',
  app: {
    slug: 'tap-sync',
    nameEn: 'Tap sync',
    nameAr: 'مزامنة تاب',
    family: 'payment',
    kind: 'gateway_sync',
    settings: ['webhook_secret', 'api_base_url', 'access_token'],
    apiBaseUrl: 'https://api.tap.company',
    sendsWebhookSecret: true,
    inbound: { authentication: 'signed', verify, secretHeaders: ['hashstring'] },
  },
  // One secret key both signs webhooks and authenticates API calls.
  credentials: ({ access_token, webhook_secret }) => bearer(access_token ?? webhook_secret, 'access_token'),
  readTransaction,
  readBack,
};
