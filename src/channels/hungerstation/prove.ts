import { type InboundCall, isBasic, isSameSecret } from '../../platform/inbound/index.ts';
import type { ProofContext } from '../contract.ts';

/** The whole header is what was configured, or Basic of a configured `user:password`. */
export function prove({ headers: { authorization } }: InboundCall, { settings }: ProofContext): boolean {
  const secret = settings.webhook_secret ?? '';
  return isSameSecret(authorization?.trim(), secret) || (secret.includes(':') && isBasic(authorization, secret));
}
