import { snapshotExample } from '../orders/index.ts';
import type { InvoiceRefusal } from './invoice-refusal.ts';
import { FIRST_PREVIOUS_HASH } from './invoice-xml.ts';
import { qrOf } from './qr.ts';

/** Samples for the API description. What they speak of, the demo has. */
export const timestamp = '2026-11-15T08:00:00.000Z';
export const orderId = '0193a1f0-7c00-7000-8000-000000000701';
const line = { sku_iv_id: 'PAIN-0001_RUH-OLAYA', quantity: 2, price: 11.5 };

export const sale = {
  branch_iv_id: 'RUH-OLAYA',
  lines: [line],
  discounts_amount: 3,
  payment_method: 'cash',
  customer: { name: 'نورة العتيبي', phone: '+966500000001' },
};

const order = {
  ...snapshotExample.order,
  id: orderId,
  source_transaction_id: null,
  destination_id: '0193a1f0-7c00-7000-8000-000000000201',
  destination_reference: null,
  store_name: 'Olaya',
  order_status: 'DELIVERED',
  payment_status: 'completed',
  fulfillment_status: 'Full',
  fulfillment_method: 'pickup',
  payment_method: sale.payment_method,
  skus: [line.sku_iv_id],
  products: [
    {
      product_id: 'PAIN-0001',
      sku_id: line.sku_iv_id,
      name: 'Panadol Extra 24 tablets',
      quantity: 2,
      price: 11.5,
      vat_value: 15,
      name_ar: 'بنادول إكسترا 24 قرص',
    },
  ],
  subtotal: 23,
  discounts_amount: 3,
  delivery_fee: 0,
  total_amount: 20,
  vat_amount: 2.61,
};

export const sold = {
  success: true,
  message: 'Sale made',
  data: { id: orderId, order_number: order.order_code, order },
  timestamp,
};

export const invoice = {
  invoice_number: 'RUH-OLAYA-000001',
  issued_at: '2026-11-15T08:00:00Z',
  seller_name: 'صيدليات نجد',
  vat_number: '300000000000003',
  total: 20,
  vat: 2.61,
  qr: qrOf({
    sellerName: 'صيدليات نجد',
    vatNumber: '300000000000003',
    issuedAt: '2026-11-15T08:00:00Z',
    total: '20.00',
    vat: '2.61',
  }),
  uuid: '0193a1f0-7c00-7000-8000-000000000702',
  hash: 'V4U5qlZ3yXQ/Si1AC/R8SLc3F+iNy27wdVe8IWRqFAQ=',
  previous_hash: FIRST_PREVIOUS_HASH,
};

export const invoiceXml =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" ...>...</Invoice>';

const figures = {
  lines_amount: 100,
  discounts_amount: 0,
  delivery_fee: 0,
  service_fee: 0,
  vat_amount: 0,
  total_amount: 100,
  expected_total_with_vat_included: 100,
  expected_total_with_vat_added: 100,
};
const vatFigures = { ...figures, expected_vat_amount: 13.04, prices_include_vat: true };

/** One of each refusal of POST /orders/{id}/invoice that comes from the order itself. */
export const invoiceRefusals: InvoiceRefusal[] = [
  { error: 'Order cancelled', figures: { order_status: 'CANCELLED' } },
  { error: 'Order refunded', figures: { payment_status: 'refunded' } },
  { error: 'Currency not supported', figures: { currency: 'USD', supported: ['SAR'] } },
  { error: 'Order without lines', figures: { lines: 0 } },
  { error: 'Line without an amount', figures: { line: 0, price: null, quantity: 1 } },
  { error: 'Order without a total', figures: { total_amount: 0 } },
  { error: 'Total too precise', figures: { total_amount: 10.005 } },
  { error: 'Amounts do not add up', figures: { ...figures, total_amount: 230 } },
  { error: 'VAT missing', figures: { ...vatFigures, products: [{ product_id: 'PAIN-0001', vat_value: 15 }] } },
  { error: 'VAT does not agree', figures: { ...vatFigures, vat_amount: 10 } },
  { error: 'VAT rate not supported', figures: { vat_value: 10, supported: [0, 5, 15] } },
];
