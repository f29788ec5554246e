import { type InboundCall, isSignedBy } from '../../platform/inbound/index.ts';
import { findIdInBody, type SignatureContext } from '../contract.ts';

export function verify({ headers, body }: InboundCall, { settings }: SignatureContext): boolean {
  return isSignedBy({
    key: settings.webhook_secret ?? '',
    signed: [body],
    given: headers['x-uber-signature'],
    encoding: 'hex',
  });
}

export function findDeliveryId(call: InboundCall): string | undefined {
  return findIdInBody(call, 'event_id');
}
