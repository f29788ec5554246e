import { eventExample, orderExample } from '../events/index.ts';
import { ORDER_FIELD_NAMES, type OrderFieldName } from './order-fields.ts';

/** Examples of the API description. The demo contains the products and branches they name. */
const organizationId = eventExample.organization_id;
export const orderId = orderExample.id;
const timestamp = '2026-11-15T08:00:00.000Z';

const line = {
  product_id: 'PAIN-0003',
  sku_id: 'PAIN-0003_RUH-OLAYA',
  name: 'بنادول أدفانس 24 قرص',
  quantity: 2,
  price: 8.75,
};

export const newOrder = {
  source_transaction_id: 'web-70021',
  destination: 'RUH-OLAYA',
  destination_reference: 'RUH-OLAYA',
  order_status: 'RECEIVED',
  payment_status: 'pending',
  fulfillment_status: 'None',
  fulfillment_method: 'delivery',
  payment_method: 'cash',
  customer_name: 'نورة العتيبي',
  customer_phone: '+966500000001',
  skus: [line.sku_id],
  products: [line],
  subtotal: 17.5,
  delivery_fee: 10,
  total_amount: 27.5,
  vat_amount: 0,
  currency: 'SAR',
};
/** The same without a source transaction: sending it several times places several orders. */
const { source_transaction_id: _key, ...keyless } = newOrder;
export const batch = { mode: 'create', orders: [{ ...newOrder, source_transaction_id: 'web-70022' }, keyless] };

/** In the order of the interface; nullable fields without a value here are null. */
const payload = {
  ...(Object.fromEntries(ORDER_FIELD_NAMES.map((name) => [name, null])) as Record<OrderFieldName, null>),
  id: orderId,
  organization_id: organizationId,
  source_transaction_id: newOrder.source_transaction_id,
  destination_id: '0193a1f0-7c00-7000-8000-000000000201',
  destination_reference: newOrder.destination_reference,
  order_status: 'RECEIVED',
  fulfillment_status: 'None',
  payment_status: 'pending',
  fulfillment_method: 'delivery',
  payment_method: 'cash',
  currency: 'SAR',
  total_amount: 27.5,
  discounts_amount: 0,
  vat_amount: 0,
  customer_name: newOrder.customer_name,
  customer_phone: newOrder.customer_phone,
  skus: newOrder.skus,
  products: newOrder.products,
  order_code: 'DK-261115-7F3K9Q',
  is_preorder: false,
  delivery_fee: 10,
  service_fee: 0,
  subtotal: 17.5,
  store_name: 'Riyadh, Olaya Street',
  created_at: timestamp,
  updated_at: timestamp,
};

export const snapshot = {
  spec_version: '2026-04-01',
  event_id: `snapshot-${orderId}-1794729600000000000`,
  event_type: 'order.snapshot',
  occurred_at: '2026-11-15T08:00:00.000000000Z',
  organization_id: organizationId,
  organization_app_id: '',
  app_slug: 'api',
  order: payload,
};

export const canonical = orderExample;

export const list = {
  spec_version: '2026-04-01',
  event_type: 'orders.listed',
  occurred_at: snapshot.occurred_at,
  organization_id: organizationId,
  orders: [snapshot],
  pagination: { page: 1, per_page: 50, total_items: 1, total_pages: 1, has_next: false, has_prev: false },
  meta: {},
};

export const created = {
  success: true,
  message: 'Order created',
  data: { id: orderId, order_number: payload.order_code },
  timestamp,
};
export const replaced = { success: true, message: 'Order updated', data: payload, timestamp };
export const statusChanged = {
  success: true,
  message: 'Order status updated',
  timestamp,
  data: { id: orderId, updated: { order_status: 'DISPATCHED', timestamp } },
};
export const bulk = {
  success: true,
  data: { succeeded: 1, failed: 1, errors: { [orderId]: 'Invalid status transition' } },
  timestamp,
};
