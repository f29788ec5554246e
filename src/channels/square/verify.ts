import { type InboundCall, isSignedBy } from '../../platform/inbound/index.ts';
import { findIdInBody, type SignatureContext } from '../contract.ts';

/** The signature covers the URL of the subscription, which differs from ours behind some proxies. */
export function verify(call: InboundCall, { settings, ingestUrl }: SignatureContext): boolean {
  return isSignedBy({
    key: settings.webhook_secret ?? '',
    signed: [settings.notification_url || ingestUrl, call.body],
    given: call.headers['x-square-hmacsha256-signature'],
    encoding: 'base64',
  });
}

export function findDeliveryId(call: InboundCall): string | undefined {
  return findIdInBody(call, 'event_id');
}
