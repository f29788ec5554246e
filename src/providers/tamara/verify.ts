import { bearerOf, findJwtClaims, type InboundCall } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/** A JWT signed with the notification key, in the header and in the URL. It does not cover the body. */
export function verify(call: InboundCall, { settings, now }: SignatureContext): boolean {
  const isSigned = (token: string | undefined) =>
    findJwtClaims(token, { key: settings.webhook_secret ?? '', algorithm: 'HS256', now }) !== undefined;
  return isSigned(bearerOf(call.headers.authorization)) || isSigned(call.query.tamaraToken);
}
