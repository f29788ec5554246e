import { type InboundCall, isSameSecret } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/** Name and value of the header are chosen when the webhook is registered. Tabby signs nothing. */
export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  const name = (settings.webhook_header ?? 'X-Webhook-Token').toLowerCase();
  const given = Object.hasOwn(call.headers, name) ? call.headers[name] : undefined;
  return isSameSecret(given, settings.webhook_secret ?? '');
}
