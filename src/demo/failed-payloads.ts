import type { PastCall } from '../modules/staging/index.ts';
import type { DemoInstall } from './channels.ts';
import type { RecentSale } from './vendor-payloads.ts';

const HOUR_MS = 3_600_000;
/** Six attempts over an hour, for what may pass by itself. */
const GIVEN_UP_AFTER_MS = HOUR_MS;
const GIVEN_UP_ATTEMPTS = 6;

type Failure = {
  slug: string;
  hoursAgo: number;
  payload: string;
  contentType?: string;
  /** What could be read of it before it failed. */
  event?: string;
  externalOrderId?: string;
  error: { code: string; message: string; path?: string };
  hasBeenRetried?: boolean;
};

/** One of each reason for which a payload waits for a person. Each says the same when it is read again, but for the last. */
export function failuresOf(
  installs: ReadonlyMap<string, DemoInstall>,
  recent: readonly RecentSale[],
  now: Date,
): PastCall[] {
  return [...FAILURES, ...lateOrder(recent, now)].flatMap((failure) => {
    const install = installs.get(failure.slug);
    const receivedMs = now.getTime() - failure.hoursAgo * HOUR_MS;
    return install === undefined
      ? []
      : {
          install,
          headers: { 'content-type': failure.contentType ?? 'application/json' },
          payload: failure.payload,
          event: failure.event ?? null,
          externalOrderId: failure.externalOrderId ?? null,
          outcome: '',
          error: { path: '', ...failure.error },
          orderId: null,
          attempts: failure.hasBeenRetried ? GIVEN_UP_ATTEMPTS : 1,
          receivedAt: new Date(receivedMs),
          processedAt: new Date(receivedMs + (failure.hasBeenRetried ? GIVEN_UP_AFTER_MS : 200)),
        };
  });
}

const missing = (path: string) => ({ code: 'missing', message: `${path} is missing`, path });
const NOT_JSON = { code: 'not_json', message: 'The payload is not JSON' };
const ORDER_UNKNOWN = { code: 'order_unknown', message: 'The order that this is about has not come yet' };
const NO_CURRENCY = { code: 'unexpected', message: 'The currency is not one of ISO 4217', path: 'currency' };
const NO_CREDENTIALS = {
  code: 'credentials_missing',
  message: 'The setting client_secret is needed to call the vendor',
};

const FAILURES: readonly Failure[] = [
  {
    slug: 'salla',
    hoursAgo: 3,
    // A plugin of the shop took the amounts out.
    payload: JSON.stringify({
      event: 'order.created',
      merchant: 1305146709,
      created_at: 'Sun Nov 15 2026 09:00:00 GMT+0300',
      data: {
        id: 2_117_000_001,
        reference_id: 42_000_001,
        currency: 'SAR',
        status: { slug: 'under_review' },
        items: [],
      },
    }),
    error: missing('data.amounts.total'),
  },
  {
    slug: 'foodics',
    hoursAgo: 19,
    payload: JSON.stringify({
      event: 'order.created',
      order: { id: '98d1f8c2-4a5b-4c3d-9e2f-000000700001', reference: '700001', status: 2, products: [] },
    }),
    error: missing('order.total_price'),
  },
  {
    slug: 'jahez',
    hoursAgo: 7,
    // A manual test of the address.
    payload: 'jahez_id=48700001&status=N&final_price=42.50',
    contentType: 'application/x-www-form-urlencoded',
    error: NOT_JSON,
  },
  {
    slug: 'generic',
    hoursAgo: 44,
    payload: '<order><id>ERP-7001</id></order>',
    contentType: 'text/xml',
    error: NOT_JSON,
  },
  {
    slug: 'generic',
    hoursAgo: 13,
    payload: JSON.stringify({
      id: 'ERP-7002',
      order_status: 'NEW',
      currency: 'RIYAL',
      total_amount: 115,
      products: [{ product_id: 'P-1', quantity: 1, price: 115 }],
    }),
    event: 'order',
    externalOrderId: 'ERP-7002',
    error: NO_CURRENCY,
  },
  {
    slug: 'zid',
    hoursAgo: 22,
    // News without the order: it would have to be asked for.
    payload: JSON.stringify({ event: 'order.status.update', order_id: 39_700_001 }),
    event: 'order.status.update',
    externalOrderId: '39700001',
    error: NO_CREDENTIALS,
  },
  {
    slug: 'hungerstation',
    hoursAgo: 31,
    payload: JSON.stringify({ order_id: '9d4a63b5-3e07-4440-96af-000000700001', status: 'DISPATCHED' }),
    event: 'DISPATCHED',
    externalOrderId: '9d4a63b5-3e07-4440-96af-000000700001',
    error: ORDER_UNKNOWN,
    hasBeenRetried: true,
  },
];

/** An update that arrived and failed before its order existed. The order exists now: a retry succeeds. */
function lateOrder(recent: readonly RecentSale[], now: Date): Failure[] {
  const sales = recent.filter(({ install }) => install.app_slug === 'hungerstation');
  const sale = sales[Math.floor(sales.length / 2)];
  const orderId = sale?.past.order.source_transaction_id;
  if (sale === undefined || !orderId) return [];
  const placedAt = sale.past.stages[0].at;
  return [
    {
      slug: 'hungerstation',
      hoursAgo: (now.getTime() - placedAt.getTime() + 1.5 * GIVEN_UP_AFTER_MS) / HOUR_MS,
      payload: JSON.stringify({ order_id: orderId, status: 'RECEIVED', sys: { updated_at: placedAt.toISOString() } }),
      event: 'RECEIVED',
      externalOrderId: orderId,
      error: ORDER_UNKNOWN,
      hasBeenRetried: true,
    },
  ];
}
