import { type InboundCall, isSameSecret, isSignedBy } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/**
 * A store chooses between a signature and the plain secret, and names its choice. Without a name (the documentation is
 * contradictory), either is accepted: both need the secret.
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
