import type { InboundCall } from '../../platform/inbound/index.ts';
import type { AppSettings, SettingName } from './settings.ts';

export type AppFamily = 'web_store' | 'delivery_app' | 'marketplace' | 'pos' | 'till' | 'payment' | 'erp';

export type AppKind =
  | 'storefront'
  | 'aggregator'
  | 'marketplace'
  | 'point_of_sale'
  | 'bnpl'
  | 'gateway_sync'
  | 'generic';

/** The catalog entry of an app, and how calls to its installs are verified. */
export type App = {
  slug: string;
  nameEn: string;
  nameAr: string;
  family: AppFamily;
  kind: AppKind;
  /** Accepted settings; any other is refused by name. */
  settings: readonly SettingName[];
  /** Required settings beside `webhook_secret`. */
  requiredSettings?: readonly SettingName[];
  /** The vendor's public API, used without `api_base_url`. */
  apiBaseUrl?: string;
  /** The vendor's token host: the only other host that receives the install's secrets. */
  tokenBaseUrl?: string;
  /** Calls to the vendor carry `webhook_secret`, so it is bound to the vendor's origin like the other secrets. */
  sendsWebhookSecret?: true;
  /** Undefined for an app without incoming calls. */
  inbound?: Inbound;
};

/**
 * `signed`: the signature covers the body. `secret`: a static value or a JWT, which does not cover the body. `token`: the ingest
 * token, which is issued with the install's URL.
 */
export type InboundAuthentication = 'signed' | 'secret' | 'token';

export type SignatureContext = {
  settings: AppSettings;
  /** Issued when the app was installed. */
  ingestToken: string;
  /** The URL of the call, as it was issued. */
  ingestUrl: string;
  now: Date;
};

export type Inbound = {
  authentication: InboundAuthentication;
  /** Works on the raw bytes in constant time. Must not throw for any input of an unauthenticated client. */
  verify(call: InboundCall, context: SignatureContext): boolean;
  /** The vendor's id of this delivery, equal for repeats. Without one, equal bytes are the same delivery. */
  findDeliveryId?(call: InboundCall): string | undefined;
  /** Headers with secrets or signatures: never stored. `authorization`, `cookie` and the ingest token never are. */
  secretHeaders?: readonly string[];
  /** Headers with secrets that are needed to decrypt the payload: stored, never shown. */
  sealingHeaders?: readonly string[];
  /** Fields of a JSON body with a secret or a signature. The bytes are stored unchanged; the API masks these fields. */
  secretFields?: readonly string[];
  /** 200 for vendors that accept no other status as success. */
  successStatus?: 200 | 202;
};

/** Whether an install requires `webhook_secret`. It is optional for calls that the ingest token authenticates. */
export function needsWebhookSecret({ settings, inbound }: App): boolean {
  return settings.includes('webhook_secret') && inbound?.authentication !== 'token';
}
