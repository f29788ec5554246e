import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { createVerifier } from 'fast-jwt';

/**
 * Signature schemes of inbound calls. Each compares in constant time, returns false or undefined for missing or malformed
 * input, and never throws on input of an unauthenticated client.
 */

/** Both texts are hashed first, so that the time taken does not depend on their lengths either. */
export function isSameSecret(given: string | undefined, secret: string): boolean {
  if (given === undefined || secret === '') return false;
  return timingSafeEqual(digest(given), digest(secret));
}

const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();

type Signature = {
  algorithm?: 'sha256' | 'sha512';
  key: string;
  /** The signed parts, in order. */
  signed: readonly (string | Buffer)[];
  given: string | undefined;
  encoding: 'hex' | 'base64';
};

export function isSignedBy({ algorithm = 'sha256', key, signed, given, encoding }: Signature): boolean {
  if (given === undefined || key === '') return false;
  const hmac = createHmac(algorithm, key);
  for (const part of signed) hmac.update(part);
  const expected = hmac.digest(encoding);
  // The length of a signature is public, so the texts are not hashed first: that would cost as much as signing.
  const text = encoding === 'hex' ? given.trim().toLowerCase() : given.trim();
  return text.length === expected.length && isSameBytes(Buffer.from(text), Buffer.from(expected));
}

/** Equal character counts do not imply equal byte counts: non-ASCII text has more bytes than characters. */
const isSameBytes = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other);

/** The value of `Authorization: Bearer ...`. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** `user:password` against `Authorization: Basic ...`. */
export function isBasic(authorization: string | undefined, credentials: string): boolean {
  const given = /^Basic +([\w+/=-]+) *$/i.exec(authorization ?? '')?.[1];
  return given !== undefined && isSameSecret(Buffer.from(given, 'base64').toString('utf8'), credentials);
}

/** Node refuses headers above 16 kB, so a longer token never arrives in a request. */
const MAX_TOKEN_CHARACTERS = 16 * 1024;
/** Some vendors add base64 padding to the signature, which RFC 7515 forbids and the library rejects. */
const SIGNATURE_PADDING = /={1,2}$/;
/** Tolerance for `nbf` only: vendors set it to the moment of signing, and their clocks differ from ours. */
const CLOCK_SKEW_MS = 60_000;

/**
 * The claims of a JSON Web Token signed with this key that has not expired; undefined otherwise. The algorithm is fixed
 * by the caller: a token that chooses its own could choose `none`.
 */
export function findJwtClaims(
  token: string | undefined,
  { key, algorithm, now }: { key: string; algorithm: 'HS256' | 'HS512'; now: Date },
): Readonly<Record<string, unknown>> | undefined {
  if (token === undefined || key === '' || token.length > MAX_TOKEN_CHARACTERS) return undefined;
  const unpadded = token.replace(SIGNATURE_PADDING, '');
  if (!isCanonicalBase64(unpadded.slice(unpadded.lastIndexOf('.') + 1))) return undefined;
  try {
    // The library accepts a token in the millisecond of its `exp`; RFC 7519 requires the current time to be before it.
    const verify = createVerifier({
      key,
      algorithms: [algorithm],
      clockTimestamp: now.getTime() + 1,
      ignoreNotBefore: true,
      cache: false,
    });
    const claims: Record<string, unknown> = verify(unpadded);
    const { nbf } = claims;
    const isActive = nbf === undefined || (typeof nbf === 'number' && nbf * 1000 <= now.getTime() + CLOCK_SKEW_MS);
    return isActive ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** The last character of a base64 text has spare bits: without this check several texts would be the same signature. */
const isCanonicalBase64 = (text: string) => Buffer.from(text, 'base64url').toString('base64url') === text;

/** Plaintext of an AES-256-GCM message whose parts are hex; undefined when the authentication tag does not match. */
export function findDecrypted(parts: {
  keyHex: string;
  ivHex: string | undefined;
  tagHex: string | undefined;
  cipherHex: string;
}): Buffer | undefined {
  const [key, iv, tag, cipher] = [parts.keyHex, parts.ivHex, parts.tagHex, parts.cipherHex].map(findHex);
  if (key?.length !== 32 || tag?.length !== 16 || iv === undefined || iv.length === 0 || cipher === undefined)
    return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(cipher), decipher.final()]);
  } catch {
    return undefined;
  }
}

function findHex(text: string | undefined): Buffer | undefined {
  const plain = text?.trim() ?? '';
  return /^(?:[0-9a-f]{2})+$/i.test(plain) ? Buffer.from(plain, 'hex') : undefined;
}
