import { type InboundCall, isSameSecret, isSignedBy } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/**
 * A shop chooses between signing and sending the secret itself, and says which. Where it does not say (the vendor's
 * documents disagree on what that means), either will do: both need the secret.
 */
export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  const secret = settings.webhook_secret ?? '';
  const strategy = call.headers['x-salla-security-strategy']?.trim().toLowerCase() ?? '';
  const isSigned = () =>
    isSignedBy({ key: secret, signed: [call.body], given: call.headers['x-salla-signature'], encoding: 'hex' });
  if (strategy === 'signature') return isSigned();
  if (strategy === 'token') return isToken(call.headers.authorization, secret);
  return strategy === '' && (isSigned() || isToken(call.headers.authorization, secret));
}

function isToken(authorization: string | undefined, secret: string): boolean {
  const bare = authorization?.replace(/^Bearer +/i, '');
  return isSameSecret(authorization, secret) || isSameSecret(bare, secret);
}
