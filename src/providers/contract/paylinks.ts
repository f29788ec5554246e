import type { App, AppSettings, Credentials, ReadContext, StagedCall, VendorClient } from '../../channels/contract.ts';
import type { Decimal } from '../../platform/money.ts';
import type { LineItem } from './line-items.ts';
import type { PaylinkStatus } from './paylink-status.ts';

export type PaylinkRequest = {
  /** Ours, of the paylink or the order: the provider gives it back as its merchant reference. */
  ownId: string;
  amount: Decimal;
  currency: string;
  /** None is allowed: the whole is then one item. */
  lineItems: readonly LineItem[];
  customer?: { name?: string | undefined; phone?: string | undefined; email?: string | undefined } | undefined;
  /** Where the customer's browser goes afterwards, however it ended. */
  returnUrl: string;
  /** Where the provider tells of it, where it takes that with the request. */
  notifyUrl?: string | undefined;
  language?: 'ar' | 'en' | undefined;
};

export type CreatedPaylink = {
  /** The id of the payment, by which webhooks name it and `readPayment` asks for it. */
  providerReference: string;
  /** The id of the page the customer was sent to, where it is another one. Kept for `cancel`. */
  sessionReference?: string | undefined;
  url: string;
  expiresAt?: Date | undefined;
  /** The customer has to act on a phone (a link by SMS, a code to scan) instead of the page at `url`. */
  needsPhone?: boolean | undefined;
};

/** Amounts in major units. Nothing where the provider does not say. */
export type ProviderPayment = {
  status: PaylinkStatus;
  /** What was asked for; less than that may be left of it, see `cancelledAmount`. */
  amount: Decimal | undefined;
  currency: string | undefined;
  capturedAmount: Decimal | undefined;
  refundedAmount: Decimal | undefined;
  /** What of it was given up without being captured. */
  cancelledAmount?: Decimal | undefined;
};

export type CaptureRequest = {
  providerReference: string;
  amount: Decimal;
  currency: string;
  /** Ours, of this capture, the same when it is asked for again: the provider's idempotency reference where it has one. */
  referenceId: string;
  /** What we know to have been captured before this one: tells a repeat from a second capture where there is no reference. */
  capturedBefore: Decimal;
  now: Date;
};

export type CancelRequest = {
  providerReference: string;
  sessionReference?: string | undefined;
  /** All that is left of it. */
  amount: Decimal;
  currency: string;
};

/** Each rejects with VendorRefused, VendorUnavailable or MissingCredentials, and with nothing else. */
export type PaylinkDriver = {
  createPaylink(request: PaylinkRequest, client: VendorClient, settings: AppSettings): Promise<CreatedPaylink>;
  /** As the provider has it now. Where the provider waits for our word after the customer's (Tamara), it is given. */
  readPayment(providerReference: string, client: VendorClient): Promise<ProviderPayment>;
  /** Asking again with the same reference captures nothing more. */
  capture(request: CaptureRequest, client: VendorClient): Promise<void>;
  /** False, and nothing was told, where the provider has no call for it: the page then ends by itself. */
  cancel(request: CancelRequest, client: VendorClient): Promise<boolean>;
};

/** A webhook is a hint: the payment is read back before anything moves. */
export type Notice =
  | {
      kind: 'payment';
      event: string;
      providerReference: string;
      /** Ours, where the notice has it: finds the paylink where the reference is not the one that we were given. */
      ownId?: string | undefined;
      /** What only the notice says and reading back cannot show. Believed where the read-back does not speak against it. */
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
  /** Unreadable is thrown. */
  readNotice(call: StagedCall, context: ReadContext): Notice;
  /** The provider's public interface. */
  live: PaylinkDriver;
  /** Whether a part of the amount can be captured by itself. */
  capturesInParts: boolean;
  /** How long a page waits for its customer, in the sandbox and where the provider does not say. */
  linkLivesForMinutes: number;
};
