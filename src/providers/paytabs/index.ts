import type { GatewayProvider } from '../contract.ts';
import { credentials, readBack, readTransaction } from './read.ts';
import { verify } from './verify.ts';

export const paytabs: GatewayProvider = {
  type: 'gateway_sync',
  id: 'paytabs',
  nameEn: 'PayTabs',
  nameAr: 'بيتابس',
  app: {
    slug: 'paytabs-sync',
    nameEn: 'PayTabs sync',
    nameAr: 'مزامنة بيتابس',
    family: 'payment',
    kind: 'gateway_sync',
    settings: ['webhook_secret', 'api_base_url', 'client_id', 'client_secret'],
    apiBaseUrl: 'https://secure.paytabs.sa',
    sendsWebhookSecret: true,
    inbound: { authentication: 'signed', verify, secretHeaders: ['signature'], successStatus: 200 },
  },
  credentials,
  readTransaction,
  readBack,
};
