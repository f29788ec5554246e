/** Samples for the API description, of an order that the demo could have. */
const organizationId = '0193a1f0-7c00-7000-8000-000000000001';
const orderId = '0193a1f0-7c00-7000-8000-000000000002';
const timestamp = '2026-11-15T08:00:00.000Z';

/** In canonical form. */
export const orderExample = {
  id: orderId,
  channel: { app_slug: 'api', family: 'api', kind: 'direct', organization_app_id: '', source: 'api' },
  external: { order_id: 'web-70021', reference: null, code: 'DK-261115-7F3K9Q', placed_at: timestamp },
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
    subtotal: 17.5,
    discounts: 0,
    vat: 0,
    delivery_fee: 10,
    service_fee: 0,
    total: 27.5,
  },
  lines: [
    {
      product_id: 'PAIN-0003',
      sku_id: 'PAIN-0003_RUH-OLAYA',
      name: 'بنادول أدفانس 24 قرص',
      quantity: 2,
      unit_price: 8.75,
      total: 17.5,
    },
  ],
  branch: { id: null, reference: 'RUH-OLAYA', name: null },
  customer: { name: 'نورة العتيبي', phone: '+966500000001', email: null },
  receiver: { name: null, phone: null },
  shipping_address: null,
  comment: null,
  created_at: timestamp,
  updated_at: timestamp,
};

export const eventExample = {
  spec_version: '2026-09-29',
  id: 'evt_1794729600000000_420000000001',
  type: 'order.status_changed',
  occurred_at: '2026-11-15T08:00:00.000000Z',
  organization_id: organizationId,
  cursor: '0000000000000042_1794729600',
  order_id: orderId,
  change: 'status_changed',
  changed_fields: ['order_status'],
  status_from: 'received',
  status_to: 'dispatched',
  payment_status_from: 'pending',
  payment_status_to: 'pending',
  order: { ...orderExample, status: 'dispatched', status_raw: 'DISPATCHED' },
};
