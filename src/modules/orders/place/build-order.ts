import { newId } from '../../../platform/ids.ts';
import { foldForSearch } from '../../../platform/text/folding.ts';
import type { OrderChannel } from '../../apps/index.ts';
import type { Order, OrderLine } from '../order.ts';
import { isOpenStatus } from '../order-status.ts';
import type { OrderInput } from '../schema.ts';

export type OrderPlace = { destinationId: string | null; storeName: string | null };

export const NOWHERE: OrderPlace = { destinationId: null, storeName: null };

/** A new order from what the caller said, with everything unsaid at its default. */
export function buildOrder(
  organizationId: string,
  input: OrderInput,
  where: OrderPlace,
  channel: OrderChannel,
  now: Date,
  id = newId(),
): Order {
  const names = { id, order_code: orderCode(id, now) };
  return {
    organization_id: organizationId,
    ...names,
    ...channel,
    source: input.source ?? 'api',
    ...replaceableFields(names, input, where),
    last_known_status: null,
    payment_facts: null,
    source_revision: null,
    created_at: now,
    updated_at: now,
  };
}

type OrderNames = Pick<Order, 'id' | 'order_code'>;

/** The part of an order that PUT replaces; what is absent returns to its default. */
export function replaceableFields(names: OrderNames, input: OrderInput, where: OrderPlace) {
  return {
    source_reference: input.source_reference ?? null,
    source_transaction_id: input.source_transaction_id || null,
    source_timestamp: toDate(input.source_timestamp),
    destination_id: where.destinationId,
    destination_reference: input.destination_reference ?? null,
    store_name: where.storeName,
    order_status: input.order_status,
    payment_status: input.payment_status ?? 'pending',
    fulfillment_status: input.fulfillment_status,
    fulfillment_method: input.fulfillment_method ?? null,
    payment_method: input.payment_method ?? null,
    currency: (input.currency ?? 'SAR').toUpperCase(),
    total_amount: input.total_amount ?? 0,
    discounts_amount: input.discounts_amount ?? 0,
    vat_amount: input.vat_amount ?? 0,
    delivery_fee: input.delivery_fee ?? 0,
    service_fee: input.service_fee ?? 0,
    subtotal: input.subtotal ?? 0,
    customer_name: input.customer_name ?? null,
    customer_phone: input.customer_phone ?? null,
    customer_email: input.customer_email ?? null,
    receiver_name: input.receiver_name ?? null,
    receiver_phone: input.receiver_phone ?? null,
    skus: input.skus,
    products: input.products as OrderLine[],
    shipping_address: input.shipping_address ?? null,
    order_type: input.order_type ?? null,
    transport_type: input.transport_type ?? null,
    comment: input.comment ?? null,
    promised_for: toDate(input.promised_for),
    is_preorder: input.is_preorder ?? false,
    dispatch_routing: input.dispatch_routing ?? null,
    shipping_fulfillment: input.shipping_fulfillment ?? null,
    raw: null,
    is_open: isOpenStatus(input.order_status),
    search_text: searchText(names, input),
  } satisfies Partial<Order>;
}

/** One text over the seven fields a search looks into, a separator between them so that no match spans two. */
function searchText({ id, order_code }: OrderNames, input: OrderInput): string {
  const { customer_name, customer_email, customer_phone, receiver_name, source_transaction_id } = input;
  return [customer_name, customer_email, customer_phone, receiver_name, id, source_transaction_id, order_code]
    .map((part) => foldForSearch(part ?? ''))
    .filter(Boolean)
    .join(' | ');
}

function toDate(text: string | null | undefined): Date | null {
  return text === null || text === undefined ? null : new Date(text);
}

// No vowels and no look-alikes: a code is read aloud over a counter.
const CODE_LETTERS = '23456789BCDFGHJKMNPQRSTVWXYZ';

/**
 * What people call the order: its day and six letters out of the random end of its id. Six letters a day are 480
 * million; the id, not this, is what must be unique.
 */
function orderCode(id: string, now: Date): string {
  let random = Number.parseInt(id.slice(-12), 16);
  let suffix = '';
  for (let index = 0; index < 6; index += 1) {
    suffix += CODE_LETTERS[random % CODE_LETTERS.length];
    random = Math.floor(random / CODE_LETTERS.length);
  }
  return `DK-${now.toISOString().slice(2, 10).replaceAll('-', '')}-${suffix}`;
}
