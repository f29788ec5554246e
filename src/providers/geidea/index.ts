import type { GatewayProvider } from '../contract.ts';
import { credentials, readBack, readTransaction } from './read.ts';
import { verify } from './verify.ts';

export const geidea: GatewayProvider = {
  type: 'gateway_sync',
  id: 'geidea',
  nameEn: 'Geidea',
  nameAr: 'جيديا',
  app: {
    slug: 'geidea-sync',
    nameEn: 'Geidea sync',
    nameAr: 'مزامنة جيديا',
    family: 'payment',
    kind: 'gateway_sync',
    settings: ['webhook_secret', 'api_base_url', 'merchant_code'],
    // Required for a read-back; the signature of a callback alone is not sufficient.
    requiredSettings: ['merchant_code'],
    apiBaseUrl: 'https://api.ksamerchant.geidea.net',
    sendsWebhookSecret: true,
    inbound: { authentication: 'signed', verify, secretFields: ['signature'] },
  },
  credentials,
  readTransaction,
  readBack,
};
