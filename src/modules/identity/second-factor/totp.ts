import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * One-time codes of RFC 6238 as every authenticator app makes them: SHA-1, six digits, thirty seconds. Forty lines on
 * node:crypto, tested with the RFC's vectors; packages for it are no shorter to review than this.
 */
const STEP_MS = 30_000;
const DIGITS = 6;
/** A phone's clock may be off by this many steps either way. */
const WINDOW_STEPS = 1;
const SECRET_BYTES = 20;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS);
}

export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step of the window that this is the code of. Should it be that of two, the later: it ends the earlier as well. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  const current = stepAt(now);
  let found: number | undefined;
  for (let step = current - WINDOW_STEPS; step <= current + WINDOW_STEPS; step += 1) {
    if (isSame(codeAt(secret, step), code)) found = step;
  }
  return found;
}

export function otpauthUrl(secret: string, email: string): string {
  const label = `Dukkan:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=Dukkan&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`;
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Of whole groups of five bytes, which need no padding. */
export function toBase32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

export function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}
