import { type InboundCall, isSignedBy } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/** The signature covers the body only, not the headers with topic and delivery id. */
export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  return isSignedBy({
    key: settings.webhook_secret ?? '',
    signed: [call.body],
    given: call.headers['x-shopify-hmac-sha256'],
    encoding: 'base64',
  });
}

export function findDeliveryId(call: InboundCall): string | undefined {
  return call.headers['x-shopify-webhook-id'];
}
