import { type Channel, findIdInBody, readOwnOrder } from '../contract.ts';
import { verify } from './verify.ts';

/** For any system that can send Dukkan's own order shape. */
export const generic: Channel = {
  app: {
    slug: 'generic',
    nameEn: 'Any other system',
    nameAr: 'أي نظام آخر',
    family: 'erp',
    kind: 'generic',
    settings: ['webhook_secret', 'branch_iv_id', 'branches', 'time_zone'],
    // The ingest token is enough. With a `webhook_secret`, a signature is verified if the call has one.
    inbound: {
      authentication: 'token',
      verify,
      findDeliveryId: (call) => findIdInBody(call, 'event_id'),
      secretHeaders: ['x-signature'],
    },
  },
  read: (call, context) => readOwnOrder(call, context),
};
