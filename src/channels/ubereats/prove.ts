import { type InboundCall, isSignedBy, parseExactJson, readerOf } from '../../platform/inbound/index.ts';
import type { ProofContext } from '../contract.ts';

export function prove({ headers, body }: InboundCall, { settings }: ProofContext): boolean {
  return isSignedBy({
    key: settings.webhook_secret ?? '',
    signed: [body],
    given: headers['x-uber-signature'],
    encoding: 'hex',
  });
}

export function findDeliveryId({ body }: InboundCall): string | undefined {
  try {
    return readerOf(parseExactJson(body)).at('event_id').findId();
  } catch {
    return undefined;
  }
}
