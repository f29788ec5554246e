import { type BnplProvider, bearer } from '../contract.ts';
import { live } from './live.ts';
import { readNotice } from './read.ts';
import { verify } from './verify.ts';

export const tabby: BnplProvider = {
  type: 'bnpl',
  id: 'tabby',
  nameEn: 'Tabby',
  nameAr: 'تابي',
  app: {
    slug: 'tabby-pos-paylinks',
    nameEn: 'Tabby payment links',
    nameAr: 'روابط دفع تابي',
    family: 'payment',
    kind: 'bnpl',
    settings: ['webhook_secret', 'webhook_header', 'api_base_url', 'access_token', 'merchant_code', 'sandbox'],
    apiBaseUrl: 'https://api.tabby.sa',
    inbound: { authentication: 'secret', verify, secretHeaders: ['x-webhook-token'], successStatus: 200 },
  },
  credentials: ({ access_token }) => bearer(access_token, 'access_token'),
  readNotice,
  live,
  capturesInParts: true,
  linkLivesForMinutes: 20,
};
