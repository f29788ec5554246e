import { type InboundCall, isSignedBy } from '../../platform/inbound/index.ts';
import type { ProofContext } from '../contract.ts';

export function prove(call: InboundCall, { settings }: ProofContext): boolean {
  return isSignedBy({
    key: settings.webhook_secret ?? '',
    signed: [call.body],
    given: call.headers.signature,
    encoding: 'hex',
  });
}
