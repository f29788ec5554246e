import type { Order } from '../../orders/index.ts';
import { assessInvoice, type InvoiceAmounts } from '../invoice-amounts.ts';
import { FIRST_PREVIOUS_HASH, type InvoiceHead, invoiceBody, invoiceXml } from '../invoice-xml.ts';
import { qrOf } from '../qr.ts';
import { readXml } from './read-xml.ts';

export function orderOf(fields: Partial<Order>): Order {
  return {
    app_slug: 'api',
    organization_app_id: '',
    order_status: 'RECEIVED',
    payment_status: 'pending',
    currency: 'SAR',
    discounts_amount: 0,
    delivery_fee: 0,
    service_fee: 0,
    ...fields,
  } as Order;
}

export const CATALOG = {
  products: new Map([
    ['TAXED', 15],
    ['REDUCED', 5],
    ['ZERO', 0],
    ['ODD', 10],
  ]),
  skus: new Map<string, number>(),
};

export function amountsOf(order: Order): InvoiceAmounts {
  const assessed = assessInvoice(order, CATALOG);
  if ('refusal' in assessed) throw new Error(JSON.stringify(assessed.refusal));
  return assessed.amounts;
}

export const SELLER = { name: 'صيدليات نجد', vatNumber: '300000000000003', address: 'شارع العليا' };
export const QR = {
  sellerName: '',
  vatNumber: SELLER.vatNumber,
  issuedAt: '2026-11-15T08:00:00Z',
  total: '1.00',
  vat: '0.13',
};

export function headOf(fields: Partial<InvoiceHead>): InvoiceHead {
  return {
    number: 'B-000001',
    uuid: '0193a1f0-7c00-7000-8000-000000000702',
    issuedAt: QR.issuedAt,
    position: 1,
    previousHash: FIRST_PREVIOUS_HASH,
    qr: qrOf(QR),
    orderCode: 'DK-1',
    seller: SELLER,
    buyerName: '',
    paymentMethod: 'cash',
    ...fields,
  };
}

export const xmlOf = (amounts: InvoiceAmounts) => readXml(invoiceXml(headOf({}), invoiceBody(amounts)).xml);
