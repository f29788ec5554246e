/** Samples for the API description. */
const organizationId = '0193a1f0-7c00-7000-8000-000000000001';
export const orderId = '0193a1f0-7c00-7000-8000-000000000002';
const timestamp = '2026-11-15T08:00:00.000Z';

const line = {
  product_id: 'P-1001',
  sku_id: 'P-1001_RUH-01',
  name: 'Paracetamol 500 mg / باراسيتامول',
  quantity: 2,
  price: 12.5,
};

export const newOrder = {
  source_transaction_id: 'web-70021',
  destination: '0193a1f0-7c00-7000-8000-000000000003',
  order_status: 'RECEIVED',
  payment_status: 'pending',
  fulfillment_status: 'None',
  fulfillment_method: 'delivery',
  payment_method: 'cash',
  customer_name: 'نورة العتيبي',
  customer_phone: '+966500000001',
  skus: [line.sku_id],
  products: [line],
  total_amount: 28.75,
  vat_amount: 3.75,
  currency: 'SAR',
};

const payload = {
  id: orderId,
  organization_id: organizationId,
  source_reference: null,
  source_transaction_id: newOrder.source_transaction_id,
  source_timestamp: null,
  destination_id: newOrder.destination,
  destination_reference: null,
  order_status: 'RECEIVED',
  fulfillment_status: 'None',
  payment_status: 'pending',
  fulfillment_method: 'delivery',
  payment_method: 'cash',
  currency: 'SAR',
  total_amount: 28.75,
  discounts_amount: 0,
  vat_amount: 3.75,
  customer_name: newOrder.customer_name,
  customer_phone: newOrder.customer_phone,
  customer_email: null,
  receiver_name: null,
  receiver_phone: null,
  skus: newOrder.skus,
  products: newOrder.products,
  shipping_address: null,
  order_code: 'DK-261115-7F3K9Q',
  order_type: null,
  transport_type: null,
  comment: null,
  promised_for: null,
  is_preorder: false,
  delivery_fee: 0,
  service_fee: 0,
  subtotal: 0,
  store_name: 'Olaya',
  dispatch_routing: null,
  shipping_fulfillment: null,
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

export const canonical = {
  id: orderId,
  channel: { app_slug: 'api', family: 'api', kind: 'direct', organization_app_id: '', source: 'api' },
  external: {
    order_id: newOrder.source_transaction_id,
    reference: null,
    code: payload.order_code,
    placed_at: timestamp,
  },
  status: 'received',
  status_raw: 'RECEIVED',
  payment: { status: 'pending', status_raw: 'pending', method: 'cash' },
  fulfillment: {
    status_raw: 'None',
    method: 'delivery',
    type: null,
    transport: null,
    promised_for: null,
    is_preorder: false,
  },
  amounts: {
    currency: 'SAR',
    subtotal: 0,
    discounts: 0,
    vat: 3.75,
    delivery_fee: 0,
    service_fee: 0,
    total: 28.75,
  },
  lines: [
    { product_id: line.product_id, sku_id: line.sku_id, name: line.name, quantity: 2, unit_price: 12.5, total: 25 },
  ],
  branch: { id: newOrder.destination, reference: null, name: payload.store_name },
  customer: { name: newOrder.customer_name, phone: newOrder.customer_phone, email: null },
  receiver: { name: null, phone: null },
  shipping_address: null,
  comment: null,
  created_at: timestamp,
  updated_at: timestamp,
};

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
