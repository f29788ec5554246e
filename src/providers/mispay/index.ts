import { type BnplProvider, hasIngestToken } from '../contract.ts';
import { credentials } from './credentials.ts';
import { live } from './live.ts';
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
    // MISPay signs nothing; the ingest token in the URL authenticates its calls.
    inbound: { authentication: 'token', verify: hasIngestToken },
  },
  credentials,
  readNotice,
  live,
  capturesInParts: false,
  linkLivesForMinutes: 30,
};
