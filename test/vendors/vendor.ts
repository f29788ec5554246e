import type { IncomingHttpHeaders } from 'node:http';

/** A call that a vendor received. */
export type ReceivedCall = {
  vendor: string;
  method: string;
  /** Below the vendor's base, without the query. */
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
  /** The fields of a JSON or form body; undefined for other bodies. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever a vendor is sent
  fields: any;
};

export type VendorResponse = { status: number; json?: unknown };

/** An order or a payment in the vendor's format. Use `digits` for numbers beyond 2^53. */
// biome-ignore lint/suspicious/noExplicitAny: each vendor has its own
export type VendorRecord = Record<string, any>;

/** The data of a vendor. */
export type Shop = {
  baseUrl: string;
  /** By the vendor's id. */
  orders: Map<string, VendorRecord>;
  payments: Map<string, VendorRecord>;
  /** Issued tokens that are still valid. */
  tokens: Set<string>;
  newId(): string;
};

export type RouteHandler = (asked: ReceivedCall, shop: Shop, ids: string[]) => VendorResponse;

export type Vendor = {
  /** Required headers; a token that the vendor issued has to be valid. */
  carries: readonly string[];
  /** The body of an error response in the vendor's format. */
  refusal(status: number, message: string): unknown;
  /** By method and path, as `PUT /orders/{}`; each `{}` is one of the ids. */
  routes: Readonly<Record<string, RouteHandler>>;
  /** Routes without credentials, because they issue them. */
  open?: Readonly<Record<string, RouteHandler>>;
};

export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A number of any length; missing in TypeScript's types. */
export const digits = (text: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);

export const ok = (json: unknown, status = 200): VendorResponse => ({ status, json });

export function getOrder(shop: Shop, id: string | undefined): VendorRecord {
  const order = shop.orders.get(id ?? '');
  if (order === undefined) throw new Refused(404, 'No such order');
  return order;
}

export function getPayment(shop: Shop, id: string | undefined): VendorRecord {
  const payment = shop.payments.get(id ?? '');
  if (payment === undefined) throw new Refused(404, 'No such payment');
  return payment;
}

/** Reads an order. */
export const giveOrder =
  (wrap: (order: VendorRecord) => unknown = (order) => order): RouteHandler =>
  (_asked, shop, ids) =>
    ok(wrap(getOrder(shop, ids.at(-1))));

/** Changes an order by the call and returns it. */
export const changeOrder =
  (
    change: (order: VendorRecord, asked: ReceivedCall) => void,
    respond: (order: VendorRecord) => VendorResponse = (order) => ok(order),
  ): RouteHandler =>
  (asked, shop, ids) => {
    const order = getOrder(shop, ids.at(-1));
    change(order, asked);
    return respond(order);
  };

/** Issues a token if the field with the secret is present. */
export const giveToken =
  (secretField: string): RouteHandler =>
  ({ vendor, fields }, shop) => {
    if (!fields?.[secretField]) throw new Refused(401, 'invalid_client');
    return ok({ access_token: newToken(vendor, shop), token_type: 'bearer', expires_in: 3600 });
  };

export function newToken(vendor: string, shop: Shop): string {
  const token = `${vendor}-token-${shop.newId()}`;
  shop.tokens.add(token);
  return token;
}
