import { randomBytes } from 'node:crypto';
import { hashToken } from '../opaque-tokens.ts';
import { toBase32 } from './totp.ts';

export const RECOVERY_CODES = 10;

/** 80 random bits each, so that a plain hash will do: there is nothing to guess. Four groups of four, to be written down. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    (toBase32(randomBytes(10)).match(/.{4}/g) ?? []).join('-'),
  );
  return { codes, hashes: codes.map((code) => hashRecoveryCode(bareCode(code))) };
}

/** As it is compared: people type codes with and without the spaces that they see. */
export function bareCode(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}

export function hashRecoveryCode(bare: string): Buffer {
  return hashToken(`recovery ${bare}`);
}
