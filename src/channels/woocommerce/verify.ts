import { type InboundCall, isSignedBy } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  return isSignedBy({
    key: settings.webhook_secret ?? '',
    signed: [call.body],
    given: call.headers['x-wc-webhook-signature'],
    encoding: 'base64',
  });
}

export function findDeliveryId(call: InboundCall): string | undefined {
  return call.headers['x-wc-webhook-delivery-id'];
}
