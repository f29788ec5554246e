import { bearer, type GatewayProvider } from '../contract.ts';
import { readBack, readTransaction } from './read.ts';
import { verify } from './verify.ts';

export const hyperpay: GatewayProvider = {
  type: 'gateway_sync',
  id: 'hyperpay',
  nameEn: 'HyperPay',
  nameAr: 'هايبر باي',
  app: {
    slug: 'hyperpay-sync',
    nameEn: 'HyperPay sync',
    nameAr: 'مزامنة هايبر باي',
    family: 'payment',
    kind: 'gateway_sync',
    settings: ['webhook_secret', 'api_base_url', 'access_token', 'merchant_code'],
    apiBaseUrl: 'https://eu-prod.oppwa.com',
    inbound: { authentication: 'signed', verify, sealingHeaders: ['x-initialization-vector', 'x-authentication-tag'] },
  },
  credentials: ({ access_token }) => bearer(access_token, 'access_token'),
  readTransaction,
  readBack,
};
