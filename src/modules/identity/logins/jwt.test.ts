import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveKey } from '../../../platform/secret-box.ts';
import { ACCESS_TOKEN_SECONDS, createJwts } from './jwt.ts';

const SECRET = 'the secret of this installation';
const jwts = createJwts(SECRET);
const now = new Date('2026-11-15T08:00:00.700Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const token = jwts.sign({ userId: 'u1', sessionId: 's1', now });

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
function forge(header: object, claims: object, key: string | Buffer | undefined): string {
  const content = `${part(header)}.${part(claims)}`;
  const mac = key === undefined ? '' : createHmac('sha256', key).update(content).digest('base64url');
  return `${content}.${mac}`;
}
const iat = Math.floor(now.getTime() / 1000);
const good = { sub: 'u1', sid: 's1', iat, exp: iat + 60 };
const ownKey = deriveKey(SECRET, 'jwt').toString('hex');

describe('a token', () => {
  it('is good for an hour, by the clock it is asked with', () => {
    const claims = { sessionId: 's1', issuedAt: new Date(iat * 1000), expiresAt: new Date((iat + 3600) * 1000) };
    expect(jwts.verify(token, now)).toEqual(claims);
    expect(jwts.verify(token, later(ACCESS_TOKEN_SECONDS - 1))).toEqual(claims);
    expect(jwts.verify(token, later(ACCESS_TOKEN_SECONDS))).toBeUndefined();
  });

  it('of another secret is refused', () => {
    expect(createJwts('another secret').verify(token, now)).toBeUndefined();
  });

  it('is a standard one', () => {
    expect(jwts.verify(forge({ alg: 'HS256', typ: 'JWT' }, good, ownKey), now)?.sessionId).toBe('s1');
  });

  it.each([
    ['without a signature', forge({ alg: 'none' }, good, undefined)],
    ['that says none but is signed', forge({ alg: 'none' }, good, ownKey)],
    ['that names another algorithm', forge({ alg: 'HS512' }, good, ownKey)],
    ['signed with the secret itself', forge({ alg: 'HS256' }, good, SECRET)],
    ['signed with nothing', forge({ alg: 'HS256' }, good, '')],
    ['without a session', forge({ alg: 'HS256' }, { ...good, sid: undefined }, ownKey)],
    ['whose session is not text', forge({ alg: 'HS256' }, { ...good, sid: 7 }, ownKey)],
    ['without an end', forge({ alg: 'HS256' }, { ...good, exp: undefined }, ownKey)],
    ['without a beginning', forge({ alg: 'HS256' }, { ...good, iat: undefined }, ownKey)],
    ['that is empty', ''],
    ['of two dots', '..'],
  ])('%s is refused', (_what, forged) => {
    expect(jwts.verify(forged, now)).toBeUndefined();
  });

  it('with any character changed is refused', () => {
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_.'), (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        // The last character of a base64 text carries spare bits: some changes there are no change.
        fc.pre(
          Buffer.from(changed.split('.')[2] ?? '', 'base64url').equals(signatureOf(token)) === false ||
            at < token.lastIndexOf('.'),
        );
        fc.pre(changed !== token);
        expect(jwts.verify(changed, now)).toBeUndefined();
      }),
    );
  });
});

function signatureOf(text: string): Buffer {
  return Buffer.from(text.split('.')[2] ?? '', 'base64url');
}
