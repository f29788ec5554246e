import { type InboundCall, isSignedBy } from '../../platform/inbound/index.ts';
import type { SignatureContext } from '../contract.ts';

/** The documentation names the first header, the vendor's n8n node reads the second. */
export const SIGNATURE_HEADERS = ['x-server-authorization-hmac-sha256', 'x-deliverect-signature'] as const;

export function verify({ headers, body }: InboundCall, { settings }: SignatureContext): boolean {
  const key = settings.webhook_secret ?? '';
  return SIGNATURE_HEADERS.some((name) => isSignedBy({ key, signed: [body], given: headers[name], encoding: 'hex' }));
}
