import { findDecrypted, type InboundCall } from '../../platform/inbound/index.ts';
import type { AppSettings, SignatureContext, StagedCall } from '../contract.ts';

export function verify(call: InboundCall, { settings }: SignatureContext): boolean {
  return findPayload(call, settings) !== undefined;
}

/** The body is hex, bare or as `{"encryptedBody": "..."}`; authenticated encryption with the shared key. */
export function findPayload(call: StagedCall, { webhook_secret }: AppSettings): Buffer | undefined {
  return findDecrypted({
    keyHex: webhook_secret ?? '',
    ivHex: call.headers['x-initialization-vector'],
    tagHex: call.headers['x-authentication-tag'],
    cipherHex: cipherOf(call.body.toString('latin1')),
  });
}

function cipherOf(text: string): string {
  if (!/^\s*["{]/.test(text)) return text;
  try {
    const found: unknown = JSON.parse(text);
    const inner =
      typeof found === 'object' && found !== null ? (found as { encryptedBody?: unknown }).encryptedBody : found;
    return typeof inner === 'string' ? inner : '';
  } catch {
    return '';
  }
}
