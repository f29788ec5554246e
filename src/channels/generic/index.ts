import { type Channel, findIdInBody, readOwnOrder } from '../contract.ts';
import { verify } from './verify.ts';

/** Any system that can send our own order shape: what has no channel of its own is connected by this one. */
export const generic: Channel = {
  app: {
    slug: 'generic',
    nameEn: 'Any other system',
    nameAr: 'أي نظام آخر',
    family: 'erp',
    kind: 'generic',
    settings: ['webhook_secret', 'branch_iv_id', 'branches', 'time_zone'],
    // Our token is enough; who can sign is asked for a secret, and then the signature counts where there is one.
    inbound: {
      authentication: 'token',
      verify,
      findDeliveryId: (call) => findIdInBody(call, 'event_id'),
      secretHeaders: ['x-signature'],
    },
  },
  read: (call, context) => readOwnOrder(call, context),
};
