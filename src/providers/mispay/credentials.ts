import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { type Reader, readerOf, Unreadable } from '../../platform/inbound/index.ts';
import type { AppSettings, Credentials, VendorAnswer } from '../contract.ts';

const ROUNDS = 40_000;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Tokens of this provider have some hundred characters. */
const MAX_TOKEN_CHARACTERS = 8_192;

/**
 * Decrypting a token costs about 50 ms of CPU, so it is cached for at least a minute, whatever its lifetime, and for an hour at
 * most.
 */
const SHORTEST_LIFE_SECONDS = 60;
const LONGEST_LIFE_SECONDS = 3_600;
const USUAL_LIFE_SECONDS = 300;

export function credentials({ client_id, client_secret }: AppSettings): Credentials {
  if (client_id === undefined) return { kind: 'missing', setting: 'client_id' };
  if (client_secret === undefined) return { kind: 'missing', setting: 'client_secret' };
  return {
    kind: 'token',
    request: { method: 'GET', path: '/token', headers: { 'x-app-id': client_id, 'x-app-secret': client_secret } },
    read(answer) {
      const token = getToken(answer, client_secret);
      return {
        headers: { 'x-app-id': client_id, authorization: `Bearer ${token}` },
        livesForSeconds: lifeSecondsOf(token),
      };
    },
  };
}

/** The token is in a small encrypted JSON document: salt, nonce, ciphertext, tag. */
function getToken(answer: VendorAnswer, secret: string): string {
  const sealed = readerOf(answer.json).at('result', 'token');
  const text = sealed.value;
  if (typeof text !== 'string' || text === '' || text.length > MAX_TOKEN_CHARACTERS) throw unreadable('is missing');
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length <= SALT_BYTES + NONCE_BYTES + TAG_BYTES) throw unreadable('is too short');
  const [salt, rest] = [bytes.subarray(0, SALT_BYTES), bytes.subarray(SALT_BYTES)];
  const [nonce, cipher, tag] = [
    rest.subarray(0, NONCE_BYTES),
    rest.subarray(NONCE_BYTES, -TAG_BYTES),
    rest.subarray(-TAG_BYTES),
  ];
  const key = pbkdf2Sync(secret, salt, ROUNDS, 32, 'sha256');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(tag);
  const token = findJson(() => Buffer.concat([decipher.update(cipher), decipher.final()]))?.at('token').value;
  // It becomes a header: printable ASCII only.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw unreadable('cannot be opened with client_secret');
  return token;
}

const unreadable = (what: string) => new Unreadable('unexpected', `result.token ${what}`, 'result.token');

function findJson(bytes: () => Buffer): Reader | undefined {
  try {
    return readerOf(JSON.parse(bytes().toString('utf8')));
  } catch {
    return undefined;
  }
}

/** The lifetime by its claims. No clock is needed: the token was just issued. */
function lifeSecondsOf(token: string): number {
  const claims = findJson(() => Buffer.from(token.split('.')[1] ?? '', 'base64url'));
  const [from, to] = [claims?.at('iat').value, claims?.at('exp').value];
  if (typeof from !== 'number' || typeof to !== 'number') return USUAL_LIFE_SECONDS;
  return Math.min(Math.max(Math.trunc(to - from), SHORTEST_LIFE_SECONDS), LONGEST_LIFE_SECONDS);
}
