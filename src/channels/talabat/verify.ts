import { bearerOf, findJwtClaims, type InboundCall } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/** The token shows who calls; it says nothing of the body, and lives for as long as it says itself. */
export function verify({ headers }: InboundCall, { settings, now }: SignatureContext): boolean {
  const claims = findJwtClaims(bearerOf(headers.authorization), {
    key: settings.webhook_secret ?? '',
    algorithm: 'HS512',
    now,
  });
  return claims?.service === 'middleware';
}
