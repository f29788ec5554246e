import { type InboundCall, isSignedBy } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  return isSignedBy({
    key: settings.webhook_secret ?? '',
    signed: [call.body],
    given: call.headers.signature,
    encoding: 'hex',
  });
}
