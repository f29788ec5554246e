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

/** What the catalog says of an app, and how calls to its installs are proven. */
export type App = {
  slug: string;
  nameEn: string;
  nameAr: string;
  family: AppFamily;
  kind: AppKind;
  /** Those it takes; any other is refused by name. */
  settings: readonly SettingName[];
  /** Those that an install is refused without, beside `webhook_secret`. */
  requiredSettings?: readonly SettingName[];
  /** The vendor's public interface, where `api_base_url` is not set. */
  apiBaseUrl?: string;
  /** Another host of the vendor's, where its tokens come from: the only other one that is sent the install's secrets. */
  tokenBaseUrl?: string;
  /** Calls to the vendor carry `webhook_secret` too, so that it belongs to the vendor's origin like the other secrets. */
  sendsWebhookSecret?: true;
  /** Nothing for an app that no one calls. */
  inbound?: Inbound;
};

/**
 * How far the proof reaches: `signed` covers the body, `secret` (a static value, a JWT) does not, `token` is a value of our
 * own making that the install's address is given out with.
 */
export type InboundAuthentication = 'signed' | 'secret' | 'token';

export type SignatureContext = {
  settings: AppSettings;
  /** Ours, given out when the app was installed. */
  ingestToken: string;
  /** The address the call came to, as we gave it out. */
  ingestUrl: string;
  now: Date;
};

export type Inbound = {
  authentication: InboundAuthentication;
  /** On the bytes as they came, in constant time. Throws at nothing that a stranger may send. */
  verify(call: InboundCall, context: SignatureContext): boolean;
  /** The vendor's own id of this delivery, the same when it is sent again. Without one, equal bytes are the same delivery. */
  findDeliveryId?(call: InboundCall): string | undefined;
  /** Headers that verify something: they are never kept. `authorization`, `cookie` and our own token never are. */
  secretHeaders?: readonly string[];
  /** Headers that verify something and without which the payload cannot be read: kept, and never shown. */
  sealingHeaders?: readonly string[];
  /** Names in a JSON body whose value proves something. The bytes are kept as they came; whoever reads them is not shown it. */
  secretFields?: readonly string[];
  /** 200 for vendors that take nothing else for success. */
  successStatus?: 200 | 202;
};

/** Whether an install without `webhook_secret` is refused. Where our own token proves a call, a secret is one's own choice. */
export function needsWebhookSecret({ settings, inbound }: App): boolean {
  return settings.includes('webhook_secret') && inbound?.authentication !== 'token';
}
