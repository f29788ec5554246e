import { type InboundCall, isSignedBy } from '../../platform/inbound/index.ts';
import { findIdInBody, type SignatureContext } from '../contract.ts';

/** The address is part of what is signed, as it was written into the subscription: behind a proxy that may not be ours. */
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
