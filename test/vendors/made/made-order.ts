import { createHmac, type Hmac } from 'node:crypto';
import type { VendorSlug } from '../simulator.ts';
import type { VendorRecord } from '../vendor.ts';

/** The credentials of a call to an install. */
export type Credentials = { secret: string; token: string; url: string };

/** A vendor's order, how the vendor sends it, and the expected result. */
export type MadeOrder = {
  /** Undefined for vendors without a simulator: they are never called. */
  vendor?: VendorSlug;
  settings: Record<string, unknown>;
  idOf(number: number): string;
  order(id: string): VendorRecord;
  /** The payload that is sent; default: the order. */
  notice?(order: VendorRecord, id: string): VendorRecord;
  headers(body: string, credentials: Credentials): Record<string, string>;
  /** Path below the ingest URL. */
  path?: string;
  answers?: 200;
  /** As `GET /orders?format=canonical` shows it, beside its id. */
  shown: VendorRecord;
  isVatOnTop?: boolean;
};

export const SECRET = 'a secret of the shop';
export const STORE_BRANCH = 'RUH';
export const hmac = (algorithm: string, key: string, ...parts: string[]): Hmac =>
  parts.reduce((signing, part) => signing.update(part), createHmac(algorithm, key));
export const byToken = (_body: string, { token }: Credentials) => ({ 'x-ingest-token': token });
/** Beyond 2^53. */
export const longIdOf = (number: number) => String(9_007_199_254_740_993n + 2n * BigInt(number));
export const textIdOf = (prefix: string) => (number: number) => `${prefix}-${String(number).padStart(7, '0')}`;
export const storeOf = (id: string) => ({ branches: { [id]: STORE_BRANCH } });
export const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
export const PLACED_AT = '2026-11-15T09:00:00.000Z';

let notices = 0;
export const newNotice = () => {
  notices += 1;
  return `notice-${notices}`;
};
