import { type InboundCall, isSignedBy } from '../../platform/inbound/index.ts';
import { hasIngestToken, type SignatureContext } from '../contract.ts';

/** A valid token does not make up for an invalid signature: the body was changed. */
export function verify(call: InboundCall, context: SignatureContext): boolean {
  const key = context.settings.webhook_secret ?? '';
  const given = call.headers['x-signature'];
  if (given === undefined || key === '') return hasIngestToken(call, context);
  return isSignedBy({ key, signed: [call.body], given: /^sha256=(.*)$/i.exec(given.trim())?.[1], encoding: 'hex' });
}
