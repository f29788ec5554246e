import { bearer, type GatewayProvider } from '../contract.ts';
import { readBack } from './live.ts';
import { readTransaction } from './read.ts';
import { findDeliveryId, verify } from './verify.ts';

export const myfatoorah: GatewayProvider = {
  type: 'gateway_sync',
  id: 'myfatoorah',
  nameEn: 'MyFatoorah',
  nameAr: 'ماي فاتورة',
  app: {
    slug: 'myfatoorah-sync',
    nameEn: 'MyFatoorah sync',
    nameAr: 'مزامنة ماي فاتورة',
    family: 'payment',
    kind: 'gateway_sync',
    settings: ['webhook_secret', 'api_base_url', 'access_token', 'time_zone'],
    apiBaseUrl: 'https://api-sa.myfatoorah.com',
    inbound: { authentication: 'signed', verify, findDeliveryId, secretHeaders: ['myfatoorah-signature'] },
  },
  credentials: ({ access_token }) => bearer(access_token, 'access_token'),
  readTransaction,
  readBack,
};
