import { bearerOf, findJwtClaims, type InboundCall } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/** The JWT authenticates the caller, does not cover the body, and is valid until its `exp`. */
export function verify({ headers }: InboundCall, { settings, now }: SignatureContext): boolean {
  const claims = findJwtClaims(bearerOf(headers.authorization), {
    key: settings.webhook_secret ?? '',
    algorithm: 'HS512',
    now,
  });
  return claims?.service === 'middleware';
}
