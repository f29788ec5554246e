import { newId } from '../../src/platform/ids.ts';

/** One row of each kind that a tenant can own, by the key that routes take. */
export type ShopIds = {
  organization: string;
  /** Where the order and the SKU are. */
  branch: string;
  branchId: string;
  /** Days on which `branch` is closed. */
  closure: string;
  product: string;
  barcode: string;
  productImage: string;
  /** Of `sku`, in the far future. */
  priceSchedule: string;
  sku: string;
  brand: string;
  category: string;
  /** Used by no product, so that they can be deleted. */
  spareBrand: string;
  spareCategory: string;
  order: string;
  transaction: string;
  /** Of `order`, written by the owner. */
  note: string;
  customer: string;
  subscription: string;
  delivery: string;
  job: string;
  /** An installed app and a payload it received that could not be parsed. */
  install: string;
  payload: string;
  /** Another one, which stays failed. */
  failedPayload: string;
  sessionToken: string;
  loginSession: string;
  apiKey: string;
  /** Invited under an address with `transaction` in it. */
  member: string;
  /** Of an account that has joined, of this organization alone. */
  teammate: string;
  fileOwner: string;
  fileName: string;
  /** Of `order`, agreed to by its customer. */
  paylink: string;
  /** Of no order. */
  sparePaylink: string;
  /** Agreed to by its customer. */
  paymentOrder: string;
  /** Of `order`'s amount, and matched to none. */
  gatewayTransaction: string;
  /** An installed app that no request deletes. */
  lastingInstall: string;
  /** Owned by the operator, visible to no tenant: a service with a file, the partner of this tenant, a post. */
  billableService: string;
  asset: string;
  partner: string;
  payee: string;
  payout: string;
  post: string;
  /** Of an operator who wants to open the organization. */
  supportRequest: string;
  /** Another organization, which has allowed support. */
  supportedOrganization: string;
  /** A contact request: of no tenant. */
  lead: string;
  /** What it paid to the operator, and what it owes. */
  billingPayment: string;
  fee: string;
  /** Number of the tax invoice for the fee. */
  feeInvoice: string;
  /** Payments that were opened and neither confirmed nor cancelled. */
  checkout: string;
  spareCheckout: string;
};

/** The same keys with values that never existed, of the same form. */
export function ghostOf(ids: ShopIds): ShopIds {
  const ghost: Record<string, string> = {};
  for (const [name, value] of Object.entries(ids)) ghost[name] = unusedLike(value);
  const { product = '', branch = '' } = ghost;
  return { ...ids, ...ghost, sku: `${product}_${branch}` };
}

function unusedLike(value: string): string {
  const [stem = '', extension] = value.split('.');
  if (/^[0-9a-f]{8}-/.test(stem)) return extension === undefined ? newId() : `${newId()}.${extension}`;
  if (/^\d+$/.test(value)) return String(10 ** (value.length - 1) + Math.floor(Math.random() * 10 ** 9));
  return `GHOST${Math.floor(Math.random() * 1e9)}`.padEnd(value.length, 'X').slice(0, value.length);
}
