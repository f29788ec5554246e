import { createHmac } from 'node:crypto';

export type ChaosInstall = { id: string; organizationId: string; appSlug: 'woocommerce' | 'generic'; secret: string };

/** What an order must look like once this version of it is the newest that was taken in. */
export type Version = { number: number; status: string; comment: string; total: number };

/** One payload of a vendor, however often it is sent. */
export type Delivery = {
  install: ChaosInstall;
  orderId: string;
  /** None for payloads that no channel can read. */
  version: Version | undefined;
  body: string;
  headers: Record<string, string>;
  /** What the answers called it; more than one is a fault. */
  stagingIds: Set<string>;
  accepted: number;
  /** Whether it was accepted is unknown. */
  isAbandoned: boolean;
  /** The answer to a call that should have been taken; 0 when there was none. */
  refused: number;
};

const MOST_VERSIONS = 5;
const MOST_COPIES = 3;
const UNREADABLE_SHARE = 0.08;
const FORWARD = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED'];

/** Some orders of each install, every version of each several times, in no order at all. */
export function makeDeliveries(installs: readonly ChaosInstall[], round: number, ordersEach: number): Delivery[] {
  const deliveries: Delivery[] = [];
  for (const install of installs) {
    for (let index = 0; index < ordersEach; index += 1) {
      const orderId = String(1_000_000 + round * ordersEach + index);
      const versions = 1 + Math.floor(Math.random() * MOST_VERSIONS);
      const endsCancelled = Math.random() < 0.2;
      for (let number = 1; number <= versions; number += 1) {
        const version = versionOf(number, endsCancelled && number === versions);
        const body = install.appSlug === 'generic' ? genericBody(orderId, version) : wooBody(orderId, version);
        deliveries.push(signed(install, orderId, version, JSON.stringify(body)));
      }
      if (Math.random() < UNREADABLE_SHARE)
        deliveries.push(signed(install, orderId, undefined, unreadable(orderId, index)));
    }
  }
  const copies = deliveries.flatMap((delivery) => Array(1 + Math.floor(Math.random() * MOST_COPIES)).fill(delivery));
  return shuffled(copies);
}

function versionOf(number: number, isCancelled: boolean): Version {
  const status = isCancelled ? 'CANCELLED' : (FORWARD[number - 1] ?? 'DELIVERED');
  return { number, status, comment: `version ${number}`, total: 100 + number };
}

function genericBody(orderId: string, { number, status, comment, total }: Version): object {
  return {
    source_transaction_id: orderId,
    version: number,
    order_status: status,
    payment_status: 'paid',
    comment,
    total_amount: total,
    currency: 'SAR',
    products: [{ product_id: 'P1', sku_id: 'HON-1', quantity: 1, price: total }],
  };
}

/** Their words know no way between received and completed. */
const WOO_WORDS: Record<string, string> = { DELIVERED: 'completed', CANCELLED: 'cancelled' };

function wooBody(orderId: string, { number, status, comment, total }: Version): object {
  return {
    id: Number(orderId),
    number: orderId,
    status: WOO_WORDS[status] ?? 'processing',
    currency: 'SAR',
    date_created_gmt: '2026-11-15T09:00:00',
    date_modified_gmt: `2026-11-15T09:0${number}:00`,
    total: total.toFixed(2),
    payment_method: 'stripe',
    customer_note: comment,
    line_items: [{ id: 1, product_id: 7, quantity: 1, subtotal: total.toFixed(2), sku: 'HON-1', name: 'عسل' }],
    billing: { first_name: 'Sara', phone: '+966500000000', city: 'Riyadh' },
  };
}

function unreadable(orderId: string, index: number): string {
  return index % 2 === 0
    ? `<order id="${orderId}"/>`
    : JSON.stringify({ id: Number(orderId), total: 'free', total_amount: 'free' });
}

/** As stored: what has no word of its own at the vendor's is received. */
export function storedStatus({ appSlug }: ChaosInstall, { status }: Version): string {
  return appSlug === 'generic' || WOO_WORDS[status] !== undefined ? status : 'RECEIVED';
}

function signed(install: ChaosInstall, orderId: string, version: Version | undefined, body: string): Delivery {
  const digest = createHmac('sha256', install.secret).update(body);
  const headers: Record<string, string> =
    install.appSlug === 'generic'
      ? { 'x-signature': `sha256=${digest.digest('hex')}` }
      : {
          'x-wc-webhook-topic': 'order.updated',
          'x-wc-webhook-signature': digest.digest('base64'),
          'x-wc-webhook-delivery-id': `${orderId}-${version?.number ?? 'unreadable'}`,
        };
  return {
    install,
    orderId,
    version,
    body,
    headers: { 'content-type': 'application/json', ...headers },
    stagingIds: new Set(),
    accepted: 0,
    isAbandoned: false,
    refused: 0,
  };
}

function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
