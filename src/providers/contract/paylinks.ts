import type { App, AppSettings, Credentials, ReadContext, StagedCall, VendorClient } from '../../channels/contract.ts';
import type { Decimal } from '../../platform/money.ts';
import type { LineItem } from './line-items.ts';
import type { PaylinkStatus } from './paylink-status.ts';

export type PaylinkRequest = {
  /** Dukkan's id of the paylink or the order: the provider returns it as merchant reference. */
  ownId: string;
  amount: Decimal;
  currency: string;
  /** May be empty: the amount is then one item. */
  lineItems: readonly LineItem[];
  customer?: { name?: string | undefined; phone?: string | undefined; email?: string | undefined } | undefined;
  /** Where the customer is redirected afterwards, with any outcome. */
  returnUrl: string;
  /** The webhook URL, for providers that take it with the request. */
  notifyUrl?: string | undefined;
  language?: 'ar' | 'en' | undefined;
};

export type CreatedPaylink = {
  /** The id of the payment in webhooks and for `readPayment`. */
  providerReference: string;
  /** The id of the payment page if it differs. Stored for `cancel`. */
  sessionReference?: string | undefined;
  url: string;
  expiresAt?: Date | undefined;
  /** The customer has to act on a phone (a link by SMS, a code to scan) instead of the page at `url`. */
  needsPhone?: boolean | undefined;
};

/** Amounts in major units; undefined if the provider does not report them. */
export type ProviderPayment = {
  status: PaylinkStatus;
  /** The requested amount; less may be left, see `cancelledAmount`. */
  amount: Decimal | undefined;
  currency: string | undefined;
  capturedAmount: Decimal | undefined;
  refundedAmount: Decimal | undefined;
  /** The part that was cancelled without being captured. */
  cancelledAmount?: Decimal | undefined;
};

export type CaptureRequest = {
  providerReference: string;
  amount: Decimal;
  currency: string;
  /** Dukkan's id of this capture, equal for repeats: the idempotency key of providers that have one. */
  referenceId: string;
  /** The amount captured before: distinguishes a repeat from a second capture for providers without an idempotency key. */
  capturedBefore: Decimal;
  now: Date;
};

export type CancelRequest = {
  providerReference: string;
  sessionReference?: string | undefined;
  /** The remaining amount. */
  amount: Decimal;
  currency: string;
};

/** All reject only with VendorRefused, VendorUnavailable or MissingCredentials. */
export type PaylinkDriver = {
  createPaylink(request: PaylinkRequest, client: VendorClient, settings: AppSettings): Promise<CreatedPaylink>;
  /** The current payment. If the provider waits for the merchant's authorisation after the customer's (Tamara), it is sent. */
  readPayment(providerReference: string, client: VendorClient): Promise<ProviderPayment>;
  /** A repeat with the same reference captures nothing more. */
  capture(request: CaptureRequest, client: VendorClient): Promise<void>;
  /** False without a call if the provider has none: the page then expires by itself. */
  cancel(request: CancelRequest, client: VendorClient): Promise<boolean>;
};

/** A webhook only triggers a read-back of the payment. */
export type Notice =
  | {
      kind: 'payment';
      event: string;
      providerReference: string;
      /** Dukkan's id, if the webhook has it: finds the paylink if the reference is not the stored one. */
      ownId?: string | undefined;
      /** A status that a read-back cannot show. Trusted if the read-back does not contradict it. */
      claims?: PaylinkStatus | undefined;
    }
  | { kind: 'ignored'; event: string };

export type BnplProvider = {
  type: 'bnpl';
  id: string;
  nameEn: string;
  nameAr: string;
  app: App;
  credentials(settings: AppSettings): Credentials;
  /** Throws Unreadable. */
  readNotice(call: StagedCall, context: ReadContext): Notice;
  /** The provider's API. */
  live: PaylinkDriver;
  /** Whether partial captures are supported. */
  capturesInParts: boolean;
  /** Lifetime of a page, in the sandbox and if the provider does not report it. */
  linkLivesForMinutes: number;
};
