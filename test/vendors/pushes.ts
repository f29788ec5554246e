import { expect } from 'vitest';
import type { OrderingSlug } from './made-orders.ts';
import type { VendorSlug } from './simulator.ts';
import type { VendorRecord } from './vendor.ts';

type Pushed = { method: string; path: string; fields?: unknown };
/** By the status asked for: the call that says so. A status that is not here has none. */
type Pushes = {
  slug: OrderingSlug & VendorSlug;
  headers: Record<string, unknown>;
  /** What the vendor's order is like, where a call is not for all of them. */
  orders?: Record<string, VendorRecord>;
  calls(id: string): Record<string, Pushed>;
};

const token = (slug: string) => expect.stringMatching(`^Bearer ${slug}-token-`);
/** From received on, each asked of an order of its own. */
export const MOVES = ['ACCEPTED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'CANCELLED'];

export const PUSHES: Pushes[] = [
  {
    slug: 'salla',
    headers: { authorization: 'Bearer salla-1234' },
    calls(id) {
      const say = (slug: string) => ({ method: 'POST', path: `/admin/v2/orders/${id}/status`, fields: { slug } });
      return {
        ACCEPTED: say('in_progress'),
        READY_FOR_PICKUP: say('waiting to receive it'),
        DISPATCHED: say('delivering'),
        DELIVERED: say('delivered'),
        CANCELLED: say('canceled'),
      };
    },
  },
  {
    slug: 'zid',
    headers: { authorization: 'Bearer partner-1234', 'x-manager-token': 'store-1234' },
    calls(id) {
      const path = `/v1/managers/store/orders/${id}/change-order-status`;
      const say = (order_status: string, more = {}) => ({ method: 'POST', path, fields: { order_status, ...more } });
      return {
        ACCEPTED: say('preparing'),
        READY_FOR_PICKUP: say('ready', { inventory_address_id: '9059ae2c' }),
        DISPATCHED: say('indelivery'),
        DELIVERED: say('delivered'),
        CANCELLED: say('cancelled'),
      };
    },
  },
  {
    slug: 'woocommerce',
    headers: { authorization: `Basic ${Buffer.from('ck_1:cs_1234').toString('base64')}` },
    calls(id) {
      const say = (status: string) => ({ method: 'PUT', path: `/wp-json/wc/v3/orders/${id}`, fields: { status } });
      return { ACCEPTED: say('processing'), DELIVERED: say('completed'), CANCELLED: say('cancelled') };
    },
  },
  {
    slug: 'shopify',
    headers: { 'x-shopify-access-token': 'shpat-1234' },
    calls(id) {
      const line_items_by_fulfillment_order = [{ fulfillment_order_id: `f${id}` }];
      const fields = { fulfillment: { line_items_by_fulfillment_order } };
      const fulfil = { method: 'POST', path: '/admin/api/2025-01/fulfillments.json', fields };
      const cancel = { method: 'POST', path: `/admin/api/2025-01/orders/${id}/cancel.json` };
      return { DISPATCHED: fulfil, DELIVERED: fulfil, CANCELLED: cancel };
    },
  },
  {
    slug: 'magento2',
    headers: { authorization: 'Bearer magento-1234' },
    orders: {
      READY_FOR_PICKUP: {
        extension_attributes: { shipping_assignments: [{ shipping: { method: 'instore_pickup' } }] },
      },
    },
    calls: (id) => ({
      READY_FOR_PICKUP: {
        method: 'POST',
        path: '/V1/order/notify-orders-are-ready-for-pickup',
        fields: { orderIds: [id] },
      },
      DISPATCHED: { method: 'POST', path: `/V1/order/${id}/ship` },
    }),
  },
  {
    slug: 'hungerstation',
    headers: { authorization: token('hungerstation') },
    orders: { DISPATCHED: { transport_type: 'VENDOR_DELIVERY' } },
    calls(id) {
      const item = (_id: string, sku: string, status: string) => expect.objectContaining({ _id, sku, status });
      const say = (status: string, found: string) => ({
        method: 'PUT',
        path: `/v2/chains/chain-1/orders/${id}`,
        fields: { order_id: id, status, items: [item('i-1', 'MILK', found), item('i-2', 'TOM', found)] },
      });
      return {
        READY_FOR_PICKUP: say('READY_FOR_PICKUP', 'IN_CART'),
        DISPATCHED: say('DISPATCHED', 'IN_CART'),
        CANCELLED: say('CANCELLED', 'NOT_FOUND'),
      };
    },
  },
  {
    slug: 'talabat',
    headers: { authorization: token('talabat') },
    calls(id) {
      const say = (fields: VendorRecord) => ({ method: 'POST', path: `/v2/order/status/${id}`, fields });
      return {
        ACCEPTED: say({
          status: 'order_accepted',
          acceptanceTime: '2026-11-15T09:35:00.000Z',
          remoteOrderId: id,
        }),
        READY_FOR_PICKUP: { method: 'POST', path: `/v2/orders/${id}/preparation-completed` },
        DISPATCHED: say({ status: 'order_picked_up' }),
        CANCELLED: say({ status: 'order_rejected', reason: 'TOO_BUSY', message: 'Cancelled by the shop' }),
      };
    },
  },
  {
    slug: 'jahez',
    headers: { authorization: token('jahez'), 'x-api-key': 'jahez-key' },
    calls(id) {
      const say = (fields: VendorRecord) => ({
        method: 'POST',
        path: '/webhooks/status_update',
        fields: { jahezOrderId: id, ...fields },
      });
      return { ACCEPTED: say({ status: 'A' }), CANCELLED: say({ status: 'R', reason: 'Cancelled by the shop' }) };
    },
  },
  {
    slug: 'deliverect',
    headers: { authorization: 'Bearer dlv-1234' },
    calls(id) {
      const say = (status: number) => ({ method: 'POST', path: `/orderStatus/${id}`, fields: { orderId: id, status } });
      return {
        ACCEPTED: say(20),
        READY_FOR_PICKUP: say(70),
        DISPATCHED: say(80),
        DELIVERED: say(90),
        CANCELLED: say(110),
      };
    },
  },
  {
    slug: 'ubereats',
    headers: { authorization: token('ubereats') },
    calls: (id) => ({
      ACCEPTED: { method: 'POST', path: `/v1/eats/orders/${id}/accept_pos_order` },
      CANCELLED: { method: 'POST', path: `/v1/eats/orders/${id}/deny_pos_order` },
    }),
  },
  {
    slug: 'amazon-sp',
    headers: { 'x-amz-access-token': 'Atza|1234' },
    calls: (id) => ({
      DISPATCHED: {
        method: 'POST',
        path: `/orders/v0/orders/${id}/shipmentConfirmation`,
        fields: {
          marketplaceId: 'A17E79C6D8DWNP',
          packageDetail: expect.objectContaining({
            orderItems: [{ orderItemId: '05015851154158', quantity: 2 }],
            shipDate: expect.stringMatching(/Z$/),
          }),
        },
      },
    }),
  },
  {
    slug: 'square',
    headers: { authorization: 'Bearer sq-1234' },
    calls(id) {
      const say = (state: string) => ({
        method: 'PUT',
        path: `/v2/orders/${id}`,
        fields: {
          idempotency_key: expect.any(String),
          order: { location_id: 'L1', version: 7, fulfillments: [{ uid: 'f1', state }] },
        },
      });
      return {
        ACCEPTED: say('RESERVED'),
        READY_FOR_PICKUP: say('PREPARED'),
        DELIVERED: say('COMPLETED'),
        CANCELLED: say('CANCELED'),
      };
    },
  },
  {
    slug: 'foodics',
    headers: { authorization: 'Bearer foodics-1234' },
    calls(id) {
      const say = (fields: VendorRecord) => ({ method: 'PUT', path: `/v5/orders/${id}`, fields });
      return {
        READY_FOR_PICKUP: say({ delivery_status: 2 }),
        DELIVERED: say({ delivery_status: 5 }),
        CANCELLED: say({ status: 3 }),
      };
    },
  },
];
