import { type BnplProvider, bearer } from '../contract.ts';
import { live } from './live.ts';
import { readNotice } from './read.ts';
import { verify } from './verify.ts';

export const tamara: BnplProvider = {
  type: 'bnpl',
  id: 'tamara',
  nameEn: 'Tamara',
  nameAr: 'تمارا',
  app: {
    slug: 'tamara-pos-paylinks',
    nameEn: 'Tamara payment links',
    nameAr: 'روابط دفع تمارا',
    family: 'payment',
    kind: 'bnpl',
    settings: ['webhook_secret', 'api_base_url', 'access_token', 'sandbox'],
    apiBaseUrl: 'https://api.tamara.co',
    inbound: { authentication: 'secret', verify },
  },
  credentials: ({ access_token }) => bearer(access_token, 'access_token'),
  readNotice,
  live,
  capturesInParts: true,
  linkLivesForMinutes: 15,
};
