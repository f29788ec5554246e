import { type Channel, hasIngestToken, readOwnOrder } from '../contract.ts';

/** A third-party POS that sends its sales in Dukkan's order shape. A sale is paid and delivered. */
export const till: Channel = {
  app: {
    slug: 'till',
    nameEn: 'Till',
    nameAr: 'نقطة البيع',
    family: 'till',
    kind: 'point_of_sale',
    settings: ['branch_iv_id', 'branches', 'time_zone'],
    inbound: { authentication: 'token', verify: hasIngestToken },
  },
  read: (call, context) =>
    readOwnOrder(call, context, { status: 'DELIVERED', paymentStatus: 'paid', fulfillmentStatus: 'Full' }),
};
