import { createHmac, type Hmac } from 'node:crypto';
import type { VendorSlug } from '../simulator.ts';
import type { Kept } from '../vendor.ts';

/** What authenticates a call to an install. */
export type Credentials = { secret: string; token: string; url: string };

/** A vendor's order as it would send it, how it sends it, and what is to become of it. */
export type MadeOrder = {
  /** None for vendors without a simulator: they are never called. */
  vendor?: VendorSlug;
  settings: Record<string, unknown>;
  idOf(number: number): string;
  order(id: string): Kept;
  /** What is sent to us; the order itself, where it does not say otherwise. */
  notice?(order: Kept, id: string): Kept;
  headers(body: string, credentials: Credentials): Record<string, string>;
  /** Behind the address. */
  path?: string;
  answers?: 200;
  /** As `GET /orders?format=canonical` shows it, beside its id. */
  shown: Kept;
  isVatOnTop?: boolean;
};

export const SECRET = 'a secret of the shop';
export const STORE_BRANCH = 'RUH';
export const hmac = (algorithm: string, key: string, ...parts: string[]): Hmac =>
  parts.reduce((signing, part) => signing.update(part), createHmac(algorithm, key));
export const byToken = (_body: string, { token }: Credentials) => ({ 'x-ingest-token': token });
/** Beyond what a float can count. */
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
