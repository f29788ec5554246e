import type { IncomingHttpHeaders } from 'node:http';

/** A call as it came to a vendor. */
export type Asked = {
  vendor: string;
  method: string;
  /** Below the vendor's base, without the query. */
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
  /** Of a JSON or a form body; `undefined` of neither. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever a vendor is sent
  fields: any;
};

export type VendorAnswer = { status: number; json?: unknown };

/** An order or a payment, in the vendor's own words. Digits beyond 2^53 through `digits`. */
// biome-ignore lint/suspicious/noExplicitAny: each vendor has its own
export type Kept = Record<string, any>;

/** What a vendor knows. */
export type Shop = {
  baseUrl: string;
  /** By the vendor's id. */
  orders: Map<string, Kept>;
  payments: Map<string, Kept>;
  /** Those it gave out and still takes. */
  tokens: Set<string>;
  newId(): string;
};

export type Answering = (asked: Asked, shop: Shop, ids: string[]) => VendorAnswer;

export type Vendor = {
  /** Headers without which nothing is answered; a token of the vendor's own making has to be one it still takes. */
  carries: readonly string[];
  /** The body of a refusal, as this vendor writes one. */
  refusal(status: number, message: string): unknown;
  /** By method and path, as `PUT /orders/{}`; each `{}` is one of the ids. */
  routes: Readonly<Record<string, Answering>>;
  /** Those that need no credentials in headers, since they give them out. */
  open?: Readonly<Record<string, Answering>>;
};

export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A number as it is written, however long; TypeScript's own types do not know of it yet. */
export const digits = (text: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);

export const ok = (json: unknown, status = 200): VendorAnswer => ({ status, json });

export function getOrder(shop: Shop, id: string | undefined): Kept {
  const order = shop.orders.get(id ?? '');
  if (order === undefined) throw new Refused(404, 'No such order');
  return order;
}

export function getPayment(shop: Shop, id: string | undefined): Kept {
  const payment = shop.payments.get(id ?? '');
  if (payment === undefined) throw new Refused(404, 'No such payment');
  return payment;
}

/** Reads an order. */
export const giveOrder =
  (wrap: (order: Kept) => unknown = (order) => order): Answering =>
  (_asked, shop, ids) =>
    ok(wrap(getOrder(shop, ids.at(-1))));

/** Changes an order by what was sent and answers with it. */
export const changeOrder =
  (
    change: (order: Kept, asked: Asked) => void,
    answer: (order: Kept) => VendorAnswer = (order) => ok(order),
  ): Answering =>
  (asked, shop, ids) => {
    const order = getOrder(shop, ids.at(-1));
    change(order, asked);
    return answer(order);
  };

/** Gives out a token for the field that holds the secret. */
export const giveToken =
  (secretField: string): Answering =>
  ({ vendor, fields }, shop) => {
    if (!fields?.[secretField]) throw new Refused(401, 'invalid_client');
    return ok({ access_token: newToken(vendor, shop), token_type: 'bearer', expires_in: 3600 });
  };

export function newToken(vendor: string, shop: Shop): string {
  const token = `${vendor}-token-${shop.newId()}`;
  shop.tokens.add(token);
  return token;
}
