import type { OrderStage, PastOrder } from '../modules/orders/index.ts';
import type { DemoInstall } from './channels.ts';

/** An order of the last days that its vendor reported. */
export type RecentSale = { id: string; install: DemoInstall; past: PastOrder };

/** An order of the demo as its vendor knows it. */
export type VendorSale = { order: PastOrder['order']; placedAt: Date };

/** What a vendor sends when an order reaches a stage; undefined where it sends nothing. */
export type VendorNews = { event: string; body: object };

type Writer = (sale: VendorSale, stage: OrderStage, isFirst: boolean) => VendorNews | undefined;

/** By the app's slug. The shapes are those of the vendors' own samples and documents, cut down to what matters. */
export const WRITERS: Readonly<Record<string, Writer>> = { salla, zid, jahez, hungerstation, foodics, generic };

const SALLA_SLUGS: Record<string, string> = {
  RECEIVED: 'under_review',
  READY_FOR_PICKUP: 'waiting_to_receive_it',
  DISPATCHED: 'delivering',
  DELIVERED: 'delivered',
  CANCELLED: 'canceled',
};

function salla(sale: VendorSale, stage: OrderStage, isFirst: boolean): VendorNews {
  const { order } = sale;
  const event = isFirst ? 'order.created' : stage.payment_status === 'refunded' ? 'order.refunded' : 'order.updated';
  const money = (amount: number | null | undefined) => ({ amount: amount ?? 0, currency: 'SAR' });
  const [first_name = '', ...others] = (order.customer_name ?? '').split(' ');
  const body = {
    event,
    merchant: Number(order.destination_reference),
    created_at: sallaTime(stage.at),
    data: {
      id: Number(order.source_transaction_id),
      reference_id: Number(order.source_reference),
      date: { date: `${riyadhTime(sale.placedAt)}.000000`, timezone_type: 3, timezone: 'Asia/Riyadh' },
      source: 'store',
      draft: false,
      status: { slug: SALLA_SLUGS[stage.order_status] },
      payment: { status: stage.payment_status },
      payment_method: order.payment_method,
      currency: 'SAR',
      amounts: {
        sub_total: money(order.subtotal),
        shipping_cost: money(order.delivery_fee),
        cash_on_delivery: money(order.service_fee),
        tax: { percent: '15.00', amount: money(order.vat_amount) },
        discounts: order.discounts_amount ? [{ title: 'عرض', discount: String(order.discounts_amount) }] : [],
        total: money(order.total_amount),
      },
      shipping: {
        receiver: { name: order.customer_name, phone: order.customer_phone },
        address: { country_code: 'SA', city: cityOf(order), shipping_address: streetOf(order) },
      },
      items: order.products.map((line, index) => ({
        id: index + 1,
        name: line.name,
        sku: line.sku_id,
        quantity: line.quantity,
        amounts: { price_without_tax: money(line.price) },
      })),
      customer: { first_name, last_name: others.join(' '), mobile: order.customer_phone, email: order.customer_email },
    },
  };
  return { event, body };
}

const ZID_WORDS: Record<string, string> = {
  RECEIVED: 'new',
  READY_FOR_PICKUP: 'ready',
  DISPATCHED: 'indelivery',
  DELIVERED: 'delivered',
  CANCELLED: 'canceled',
};

function zid({ order, placedAt }: VendorSale, stage: OrderStage): VendorNews {
  const row = (code: string, value: number | null | undefined) => ({ code, value: (value ?? 0).toFixed(14) });
  const customer = { name: order.customer_name, mobile: order.customer_phone, email: order.customer_email };
  const body = {
    id: Number(order.source_transaction_id),
    code: order.source_reference,
    store_id: Number(order.destination_reference),
    order_status: { code: ZID_WORDS[stage.order_status] },
    currency_code: 'SAR',
    customer,
    order_total: (order.total_amount ?? 0).toFixed(14),
    payment_status: stage.payment_status === 'cancelled' ? 'voided' : stage.payment_status,
    source_code: 'catalog',
    created_at: riyadhTime(placedAt),
    updated_at: riyadhTime(stage.at),
    requires_shipping: true,
    shipping: { address: { street: streetOf(order), city: { name: cityOf(order) }, country: { code: 'SA' } } },
    payment: {
      method: { code: order.payment_method },
      invoice: [
        row('sub_totals', order.subtotal),
        row('coupon', -(order.discounts_amount ?? 0)),
        row('shipping', order.delivery_fee),
        row('vat', order.vat_amount),
        row('total', order.total_amount),
      ],
    },
    products: order.products.map((line) => ({
      id: line.product_id,
      sku: line.sku_id,
      name: line.name,
      quantity: line.quantity,
      net_price: line.price,
    })),
  };
  return { event: 'order', body };
}

const JAHEZ_LETTERS: Record<string, string> = { DISPATCHED: 'O', DELIVERED: 'D', CANCELLED: 'C' };

/** Delivery is part of the order's price; later states are reported by a one-letter code. */
function jahez({ order }: VendorSale, stage: OrderStage, isFirst: boolean): VendorNews | undefined {
  const payment_method = order.payment_method === 'cash' ? 'CASH' : 'CREDITCARD';
  if (!isFirst) {
    const status = JAHEZ_LETTERS[stage.order_status];
    if (status === undefined || isAfterDelivery(stage)) return undefined;
    return {
      event: 'order.update',
      body: { jahezOrderId: Number(order.source_transaction_id), status, payment_method },
    };
  }
  const total = order.total_amount ?? 0;
  const discount = order.discounts_amount ?? 0;
  const body = {
    jahez_id: Number(order.source_transaction_id),
    branch_id: order.destination_reference,
    products: order.products.map((line) => ({
      product_id: line.sku_id,
      name: line.name,
      quantity: line.quantity,
      original_price: line.price,
      final_price: line.price,
      modifiers: [],
    })),
    price: toHalalas(total + discount),
    final_price: total,
    ...(discount > 0 && { offer: { amount: discount, type: 1 } }),
    payment_method,
    phone_number: order.customer_phone,
    customer_name: order.customer_name,
    delivery_address: { address: streetOf(order), city: cityOf(order) },
  };
  return { event: 'order.create', body };
}

function hungerstation(sale: VendorSale, stage: OrderStage, isFirst: boolean): VendorNews | undefined {
  const { order, placedAt } = sale;
  const { order_status: status } = stage;
  const sys = { created_at: placedAt.toISOString(), updated_at: stage.at.toISOString() };
  if (isAfterDelivery(stage)) return undefined;
  if (!isFirst) return { event: status, body: { order_id: order.source_transaction_id, status, sys } };
  const [first_name = '', ...others] = (order.customer_name ?? '').split(' ');
  const body = {
    order_id: order.source_transaction_id,
    order_code: order.source_reference,
    status,
    order_type: 'DELIVERY',
    transport_type: 'LOGISTICS_DELIVERY',
    promised_for: order.promised_for,
    client: { store_id: order.destination_reference },
    customer: {
      first_name,
      last_name: others.join(' '),
      phone_number: order.customer_phone,
      delivery_address: { street: streetOf(order), city: cityOf(order), country: 'SA' },
    },
    items: order.products.map((line, index) => ({
      _id: `i-${index + 1}`,
      sku: line.sku_id,
      name: line.name,
      status: 'IN_CART',
      pricing: { pricing_type: 'UNIT', unit_price: line.price, quantity: line.quantity },
    })),
    payment: {
      type: order.payment_method === 'cash' ? 'CASH' : 'PAID',
      sub_total: order.subtotal,
      delivery_fee: order.delivery_fee,
      service_fee: order.service_fee,
      discount: -(order.discounts_amount ?? 0),
      total_taxes: order.vat_amount,
      order_total: order.total_amount,
    },
    sys,
  };
  return { event: status, body };
}

function foodics({ order, placedAt }: VendorSale, stage: OrderStage, isFirst: boolean): VendorNews {
  const event = isFirst ? 'order.created' : 'order.updated';
  const isClosed = stage.order_status === 'DELIVERED';
  const paid = { amount: order.total_amount, payment_method: { name: order.payment_method, type: 1 } };
  const body = {
    timestamp: Math.floor(stage.at.getTime() / 1000),
    event,
    order: {
      id: order.source_transaction_id,
      reference: order.source_reference,
      branch: { id: order.destination_reference },
      type: 2,
      status: isClosed ? 4 : 2,
      opened_at: utcTime(placedAt),
      closed_at: isClosed ? utcTime(stage.at) : null,
      updated_at: utcTime(stage.at),
      total_price: order.total_amount,
      discount_amount: order.discounts_amount ?? 0,
      payments: isClosed ? [paid] : [],
      customer: order.customer_name && { name: order.customer_name, phone: order.customer_phone },
      products: order.products.map((line, index) => ({
        quantity: line.quantity,
        unit_price: line.price,
        product: { id: line.product_id, sku: line.sku_id, name: line.name },
        taxes: index === 0 ? [{ rate: 15, pivot: { amount: order.vat_amount } }] : [],
      })),
    },
  };
  return { event, body };
}

/** Dukkan's own order shape, complete at every stage. */
function generic({ order, placedAt }: VendorSale, stage: OrderStage): VendorNews {
  const { source, destination, ...fields } = order;
  const { at, ...statuses } = stage;
  const body = {
    ...fields,
    ...statuses,
    source_timestamp: placedAt.toISOString(),
    updated_at: at.toISOString(),
  };
  return { event: 'order', body };
}

/** Vendors that only deliver do not report a refund days later. */
function isAfterDelivery({ order_status, payment_status }: OrderStage): boolean {
  return order_status === 'DELIVERED' && payment_status === 'refunded';
}

const toHalalas = (amount: number) => Math.round(amount * 100) / 100;
const addressOf = (order: PastOrder['order']) => (order.shipping_address ?? {}) as Record<string, unknown>;
const cityOf = (order: PastOrder['order']) => addressOf(order).city ?? null;
const streetOf = (order: PastOrder['order']) => addressOf(order).street ?? null;

/** Saudi Arabia has no summer time. */
const RIYADH_MS = 3 * 3_600_000;
const utcTime = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');
const riyadhTime = (at: Date) => utcTime(new Date(at.getTime() + RIYADH_MS));

/** `Sun Jun 26 2022 12:21:48 GMT+0300` */
function sallaTime(at: Date): string {
  const [weekday, day, month, year, time] = new Date(at.getTime() + RIYADH_MS).toUTCString().split(/,? /);
  return `${weekday} ${month} ${day} ${year} ${time} GMT+0300`;
}
