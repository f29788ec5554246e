import { findInstant, parseExactJson, type Reader, readerOf, Unreadable } from '../../platform/inbound/index.ts';
import {
  type AppSettings,
  type Credentials,
  type Page,
  type PollPosition,
  type PushedOrder,
  tokenOf,
  type VendorAnswer,
  type VendorClient,
  VendorRefused,
} from '../contract.ts';

/** Token host for Amazon's own API; any other API host serves its tokens itself. */
export const TOKEN_HOST = 'https://api.amazon.com';
/** `Atza|` is an access token for an hour, `Atzr|` a refresh token. */
const REFRESH_TOKEN = /^Atzr\|/;
/** Amazon.sa, the default: listing orders requires the marketplaces. */
const MARKETPLACE = 'A17E79C6D8DWNP';

export function credentials({ access_token, client_id, client_secret, api_base_url }: AppSettings): Credentials {
  const isRefreshToken = access_token !== undefined && REFRESH_TOKEN.test(access_token);
  if (access_token !== undefined && !isRefreshToken)
    return { kind: 'headers', headers: { 'x-amz-access-token': access_token } };
  if (client_id === undefined)
    return { kind: 'missing', setting: access_token === undefined ? 'access_token' : 'client_id' };
  if (client_secret === undefined) return { kind: 'missing', setting: 'client_secret' };
  const grant: Record<string, string> = isRefreshToken
    ? { grant_type: 'refresh_token', refresh_token: access_token }
    : { grant_type: 'client_credentials', scope: 'sellingpartnerapi::notifications' };
  return {
    kind: 'token',
    request: {
      method: 'POST',
      path: '/auth/o2/token',
      form: { ...grant, client_id, client_secret },
      isRepeatable: true,
      ...(isAmazon(api_base_url) && { baseUrl: TOKEN_HOST }),
    },
    read(answer) {
      const { token, livesForSeconds } = tokenOf(answer, { livesForSeconds: 3600 });
      return { headers: { 'x-amz-access-token': token }, livesForSeconds };
    },
  };
}

function isAmazon(baseUrl: string | undefined): boolean {
  return baseUrl === undefined || baseUrl === '' || /^https:\/\/[\w.-]+\.amazon\.com(?:[:/]|$)/i.test(baseUrl);
}

const pathOf = (id: string) => `/orders/v0/orders/${encodeURIComponent(id)}`;

export async function fetchOrder(orderId: string, client: VendorClient): Promise<unknown> {
  const answer = readerOf((await client.call({ method: 'GET', path: pathOf(orderId) })).json);
  return withItems(answer.at('payload').isThere() ? answer.at('payload') : answer, client);
}

/** An order is fetched in parts. Buyer and address need a permission of their own. */
async function withItems(order: Reader, client: VendorClient): Promise<unknown> {
  const path = pathOf(order.at('AmazonOrderId').getId());
  const items = await fetchItems(path, client);
  const address = order.at('ShippingAddress', 'AddressLine1').isThere()
    ? undefined
    : await findPart(`${path}/address`, client);
  const buyer = order.at('BuyerInfo', 'BuyerName').isThere() ? undefined : await findPart(`${path}/buyerInfo`, client);
  return {
    ...(order.value as object),
    OrderItems: items,
    ...(address?.at('ShippingAddress').isThere() && { ShippingAddress: address.at('ShippingAddress').value }),
    ...(buyer?.at('BuyerEmail').isThere() && { BuyerInfo: buyer.value }),
  };
}

/** Pages of a hundred items; no order has more. */
const MAX_ITEM_PAGES = 10;

async function fetchItems(path: string, client: VendorClient): Promise<unknown[]> {
  const items: unknown[] = [];
  let next: string | undefined;
  for (let page = 0; page < MAX_ITEM_PAGES; page += 1) {
    const query = next === undefined ? undefined : { NextToken: next };
    const call = { method: 'GET', path: `${path}/orderItems`, ...(query && { query }) } as const;
    const payload = readerOf((await client.call(call)).json).at('payload');
    for (const item of payload.at('OrderItems').list()) items.push(item.value);
    next = nextPageTokenOf(payload);
    if (next === undefined) return items;
  }
  return items;
}

/** In the address of the next call, which has at most 8,192. Amazon's have about two thousand. */
const MAX_TOKEN_CHARACTERS = 6_000;

/** Longer than any id. That of a poll is stored with the install, so it has a limit. */
function nextPageTokenOf(payload: Reader): string | undefined {
  const token = payload.at('NextToken').value;
  if (typeof token !== 'string' || token === '') return undefined;
  if (token.length > MAX_TOKEN_CHARACTERS || encodeURIComponent(token.toWellFormed()).length > MAX_TOKEN_CHARACTERS)
    throw new Unreadable('unexpected', 'The token of the next page is too long', 'NextToken');
  return token;
}

async function findPart(path: string, client: VendorClient): Promise<Reader | undefined> {
  try {
    return readerOf((await client.call({ method: 'GET', path })).json).at('payload');
  } catch (error) {
    if (error instanceof VendorRefused) return undefined;
    throw error;
  }
}

/** `token` continues the list of changes after `after`; `newest` is the start of the next round. */
type Cursor = { after: string; token?: string | undefined; newest?: string | undefined };

const ORDERS_PER_PAGE = 50;

export async function poll(at: PollPosition, client: VendorClient, { shop_id }: AppSettings): Promise<Page> {
  const cursor = cursorOf(at);
  const payload = await fetchPage(cursor, client, shop_id ?? MARKETPLACE);
  // Taken for the end of the list, it would move the cursor past orders that were not listed yet.
  if (!payload.at('Orders').isThere())
    throw new Unreadable('unexpected', 'The answer is not a list of orders', 'Orders');
  // As listed: the items are fetched per order when it is processed, so that a failing order does not block others.
  const orders: unknown[] = [];
  let newest = cursor.newest ?? cursor.after;
  for (const order of payload.at('Orders').list()) {
    orders.push(order.value);
    const changed = order.at('LastUpdateDate').findText();
    if (isBetween(newest, changed, at.now)) newest = changed;
  }
  const token = nextPageTokenOf(payload);
  const next: Cursor = token === undefined ? { after: newest } : { after: cursor.after, token, newest };
  return { orders, cursor: JSON.stringify(next), hasMore: token !== undefined };
}

/** Later than the newest so far, and not in the future. */
function isBetween(newest: string, changed: string | undefined, now: Date): changed is string {
  const [from, at] = [findInstant(newest, 'UTC'), findInstant(changed, 'UTC')];
  return at !== undefined && at <= now && (from === undefined || at > from);
}

async function fetchPage(cursor: Cursor, client: VendorClient, marketplaces: string): Promise<Reader> {
  const query = {
    MarketplaceIds: marketplaces,
    MaxResultsPerPage: String(ORDERS_PER_PAGE),
    ...(cursor.token === undefined ? { LastUpdatedAfter: cursor.after } : { NextToken: cursor.token }),
  };
  try {
    return readerOf((await client.call({ method: 'GET', path: '/orders/v0/orders', query })).json).at('payload');
  } catch (error) {
    // Tokens expire: without one the round restarts, and orders that are read twice change nothing.
    if (cursor.token === undefined || !(error instanceof VendorRefused)) throw error;
    return fetchPage({ after: cursor.after }, client, marketplaces);
  }
}

/** A cursor of an earlier release may be in the future. */
function cursorOf({ cursor, since, now }: PollPosition): Cursor {
  const stored = cursor === undefined ? undefined : (parseExactJson(cursor) as Cursor);
  const after = findInstant(stored?.after, 'UTC');
  return stored !== undefined && after !== undefined && after <= now ? stored : { after: since.toISOString() };
}

/** Only the shipment of a seller-fulfilled order is pushed. Amazon knows about its own shipments. */
export async function push(order: PushedOrder, client: VendorClient): Promise<boolean> {
  const known = order.payload.at('payload').isThere() ? order.payload.at('payload') : order.payload;
  if (order.status !== 'DISPATCHED' || known.at('FulfillmentChannel').findText() === 'AFN') return false;
  const path = pathOf(order.id);
  const items = known.at('OrderItems').isThere() ? known.at('OrderItems').value : await fetchItems(path, client);
  await client.call({
    method: 'POST',
    path: `${path}/shipmentConfirmation`,
    json: {
      marketplaceId: known.at('MarketplaceId').findId() ?? MARKETPLACE,
      packageDetail: {
        packageReferenceId: '1',
        // There is no carrier of Amazon's list. The tracking number is the note of the status change, otherwise the order's.
        carrierCode: 'Other',
        carrierName: 'Seller',
        trackingNumber: TRACKING_NUMBER.test(order.note ?? '') ? order.note : order.ownId,
        shipDate: order.at?.toISOString(),
        orderItems: readerOf(items, 'OrderItems')
          .list()
          .map((item) => ({
            orderItemId: item.at('OrderItemId').getId(),
            quantity: item.at('QuantityOrdered').findInteger() ?? 1,
          })),
      },
    },
    // A second confirmation of the same package corrects the first.
    isRepeatable: true,
  });
  return true;
}

const TRACKING_NUMBER = /^[A-Za-z0-9-]{5,50}$/;

export function probe(client: VendorClient): Promise<VendorAnswer> {
  return client.call({ method: 'GET', path: '/sellers/v1/marketplaceParticipations' });
}
