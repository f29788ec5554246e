import { basic, type GatewayProvider } from '../contract.ts';
import { readBack, readTransaction } from './read.ts';
import { findDeliveryId, verify } from './verify.ts';

export const moyasar: GatewayProvider = {
  type: 'gateway_sync',
  id: 'moyasar',
  nameEn: 'Moyasar',
  nameAr: 'ميسر',
  app: {
    slug: 'moyasar-sync',
    nameEn: 'Moyasar sync',
    nameAr: 'مزامنة ميسر',
    family: 'payment',
    kind: 'gateway_sync',
    settings: ['webhook_secret', 'api_base_url', 'access_token'],
    apiBaseUrl: 'https://api.moyasar.com',
    inbound: { authentication: 'secret', verify, findDeliveryId, secretFields: ['secret_token'] },
  },
  // The secret key is the user name; the password is empty.
  credentials: ({ access_token }) =>
    access_token === undefined ? { kind: 'missing', setting: 'access_token' } : basic(access_token, ''),
  readTransaction,
  readBack,
};
