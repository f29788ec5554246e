import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The ways in which a caller shows that it knows a secret. Each compares in constant time and answers false to whatever
 * is missing or misshapen; none of them throws at what a stranger sent.
 */

/** Whether two texts are the same. Hashed first, so that not even their lengths show in the time it takes. */
export function isSameSecret(given: string | undefined, secret: string): boolean {
  if (given === undefined || secret === '') return false;
  return timingSafeEqual(digest(given), digest(secret));
}

const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest();

export type Signature = {
  algorithm?: 'sha256' | 'sha512';
  key: string;
  /** What was signed, in order. */
  signed: readonly (string | Buffer)[];
  given: string | undefined;
  encoding: 'hex' | 'base64';
};

export function isSignedBy({ algorithm = 'sha256', key, signed, given, encoding }: Signature): boolean {
  if (given === undefined || key === '') return false;
  const hmac = createHmac(algorithm, key);
  for (const part of signed) hmac.update(part);
  const expected = hmac.digest(encoding);
  // Everybody knows how long a signature is, so there is no length to hide: comparing hashes of both cost as much as signing.
  const text = encoding === 'hex' ? given.trim().toLowerCase() : given.trim();
  return text.length === expected.length && isSameBytes(Buffer.from(text), Buffer.from(expected));
}

/** What is no ASCII has more bytes than characters. */
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

/** Some pad what is not to be padded. Cutting off any number of `=` would take a second for a header full of them. */
const PADDED = /^([\w-]+)={0,2}$/;

const JWT_HASHES = { HS256: 'sha256', HS512: 'sha512' } as const;

/**
 * The claims of a JSON Web Token that was signed with this key and has not ended; nothing otherwise. The algorithm is
 * ours to name: a token that chooses its own could choose none.
 */
export function findJwtClaims(
  token: string | undefined,
  { key, algorithm, now }: { key: string; algorithm: keyof typeof JWT_HASHES; now: Date },
): Readonly<Record<string, unknown>> | undefined {
  const [head, body, given, ...more] = token?.split('.') ?? [];
  if (head === undefined || body === undefined || given === undefined || more.length > 0 || key === '')
    return undefined;
  const expected = createHmac(JWT_HASHES[algorithm], key).update(`${head}.${body}`).digest('base64url');
  if (!isSameSecret(PADDED.exec(given)?.[1], expected)) return undefined;
  const claims = findObject(body);
  if (findObject(head)?.alg !== algorithm || claims === undefined) return undefined;
  const { exp, nbf } = claims;
  const nowSeconds = now.getTime() / 1000;
  if (exp !== undefined && !(typeof exp === 'number' && exp > nowSeconds)) return undefined;
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= nowSeconds + CLOCK_SKEW_SECONDS)) return undefined;
  return claims;
}

/** A token that is not to be used before the moment it was made comes from clocks that differ a little from ours. */
const CLOCK_SKEW_SECONDS = 60;

function findObject(base64url: string): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
    const isObject = typeof found === 'object' && found !== null && !Array.isArray(found);
    return isObject ? (found as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** What AES-256-GCM hides, all its parts in hex; nothing where the tag does not fit. */
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
