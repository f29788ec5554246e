import { type InboundCall, isBasic, isSameSecret } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/** The header is the configured value, or Basic authentication with a configured `user:password`. */
export function verify({ headers: { authorization } }: InboundCall, { settings }: SignatureContext): boolean {
  const secret = settings.webhook_secret ?? '';
  return isSameSecret(authorization?.trim(), secret) || (secret.includes(':') && isBasic(authorization, secret));
}
