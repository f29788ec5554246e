import { type InboundCall, isBasic, isSameSecret } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/** What was chosen when the webhook was registered: `user:password`, or the header's value as it is. Nothing is signed. */
export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  const { authorization } = call.headers;
  const secret = settings.webhook_secret ?? '';
  return isBasic(authorization, secret) || isSameSecret(authorization, secret);
}
