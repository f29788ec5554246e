import type { BnplProvider } from '../contract.ts';
import { credentials } from './credentials.ts';
import { live } from './live.ts';
import { prove } from './prove.ts';
import { readNotice } from './read.ts';

export const mispay: BnplProvider = {
  type: 'bnpl',
  id: 'mispay',
  nameEn: 'MISPay',
  nameAr: 'ميس باي',
  app: {
    slug: 'mispay-pos-paylinks',
    nameEn: 'MISPay payment links',
    nameAr: 'روابط دفع ميس باي',
    family: 'payment',
    kind: 'bnpl',
    settings: ['api_base_url', 'client_id', 'client_secret', 'sandbox'],
    apiBaseUrl: 'https://api.mispay.co/v1/api',
    inbound: { proof: 'token', prove },
  },
  credentials,
  readNotice,
  live,
  capturesInParts: false,
  linkLivesForMinutes: 30,
};
