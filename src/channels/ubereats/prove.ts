import { type InboundCall, isSignedBy } from '../../platform/inbound/index.ts';
import { findIdInBody, type ProofContext } from '../contract.ts';

export function prove({ headers, body }: InboundCall, { settings }: ProofContext): boolean {
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
