import { type InboundCall, isBasic, isSameSecret } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/** The value chosen when the webhook was registered: `user:password` for Basic authentication, or a plain header value. */
export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  const { authorization } = call.headers;
  const secret = settings.webhook_secret ?? '';
  return isBasic(authorization, secret) || isSameSecret(authorization, secret);
}
