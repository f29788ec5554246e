import { createCipheriv, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bearerOf, findDecrypted, findJwtClaims, isBasic, isSameSecret, isSignedBy } from './index.ts';

/** Letters, padding, control characters and unpaired surrogates. */
const oddText = fc.string({ unit: fc.constantFrom('a', 'A', '=', ' ', 'é', '\u0301', '\u0000', '\ud800', '😀') });
const NOW = new Date('2026-11-15T09:00:00Z');

describe('signatures', () => {
  test('isSameSecret is true for equal non-empty texts only', () => {
    const texts = fc.oneof(oddText, fc.constantFrom('', 'a', 'a'.repeat(100_000)));
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(isSameSecret(one, one)).toBe(one !== '');
        expect(isSameSecret(one, other)).toBe(one !== '' && one === other);
      }),
    );
    expect(isSameSecret(undefined, 'a')).toBe(false);
    expect(isSameSecret('', '')).toBe(false);
    expect(isSameSecret('é', 'e\u0301')).toBe(false);
    expect(isSameSecret('secret\u0000', 'secret')).toBe(false);
  });

  test('isSignedBy covers all parts in their order and requires a key', () => {
    const of = (key: string, body: string) => createHmac('sha256', key).update(body).digest('hex');
    const check = (given: string | undefined, key = 'k', signed: string[] = ['ab', 'c']) =>
      isSignedBy({ key, signed, given, encoding: 'hex' });
    expect(check(of('k', 'abc'))).toBe(true);
    expect(check(` ${of('k', 'abc').toUpperCase()} `)).toBe(true);
    expect(check(of('k', 'abc'), 'k', ['c', 'ab'])).toBe(false);
    expect(check(of('', 'abc'), '')).toBe(false);
    fc.assert(fc.property(oddText, (given) => void expect(check(given)).toBe(false)));
    expect(check(undefined)).toBe(false);
  });

  test('isBasic and bearerOf parse the Authorization header and reject malformed ones', () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    expect(isBasic(basic('user:päss:word'), 'user:päss:word')).toBe(true);
    expect(isBasic(basic('user:pass').toLowerCase(), 'user:pass')).toBe(false);
    for (const odd of [undefined, '', 'Basic', 'Basic  ', 'Bearer x', basic(''), basic('user:')])
      expect(isBasic(odd, 'user:pass')).toBe(false);
    expect(isBasic(basic(''), '')).toBe(false);
    expect(bearerOf('bearer  abc ')).toBe('abc');
    for (const odd of [undefined, '', 'Bearer', 'Bearer a b', `Bearer${' '.repeat(10_000)}`])
      expect(bearerOf(odd)).toBeUndefined();
  });
});

describe('a JSON Web Token', () => {
  const part = (value: unknown) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const nowSeconds = NOW.getTime() / 1000;
  const tokenOf = (
    claims: unknown,
    { head = { alg: 'HS256', typ: 'JWT' } as unknown, key = 'k', hash = 'sha256' } = {},
  ) => {
    const signed = `${part(head)}.${part(claims)}`;
    return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
  };
  const find = (token: string | undefined, algorithm: 'HS256' | 'HS512' = 'HS256', key = 'k') =>
    findJwtClaims(token, { key, algorithm, now: NOW });
  const good = { service: 'middleware', exp: nowSeconds + 60 };

  test('is accepted when it is signed with the key and has not expired', () => {
    expect(find(tokenOf(good))).toEqual(good);
    expect(find(`${tokenOf(good)}=`)).toEqual(good);
    expect(find(tokenOf({}))).toEqual({});
    expect(find(tokenOf(good, { head: { alg: 'HS512' }, hash: 'sha512' }), 'HS512')).toEqual(good);
    expect(find(tokenOf({ nbf: nowSeconds + 59 }))).toEqual({ nbf: nowSeconds + 59 });
  });

  const [head, body, signature] = tokenOf(good).split('.') as [string, string, string];
  test.each<[string, string | undefined]>([
    ['no token', undefined],
    ['no signature', `${head}.${body}`],
    ['an empty signature', `${head}.${body}.`],
    ['alg none', `${part({ alg: 'none' })}.${body}.`],
    ['alg none with the old signature', `${part({ alg: 'none' })}.${body}.${signature}`],
    ['alg None, signed', tokenOf(good, { head: { alg: 'None' } })],
    ['another alg, signed with our key', tokenOf(good, { head: { alg: 'HS512' }, hash: 'sha512' })],
    ['another alg in name only', tokenOf(good, { head: { alg: 'HS512' } })],
    ['our alg in name only', tokenOf(good, { hash: 'sha512' })],
    ['no alg', tokenOf(good, { head: {} })],
    ['a list of algs', tokenOf(good, { head: { alg: ['HS256'] } })],
    ['a header that is not an object', tokenOf(good, { head: 'head' })],
    ['another key', tokenOf(good, { key: 'other' })],
    ['an empty key', tokenOf(good, { key: '' })],
    ['other claims', `${head}.${part({ ...good, admin: true })}.${signature}`],
    ['a fourth part', `${head}.${body}.${signature}.x`],
    ['two signatures', `${head}.${body}.${signature}${signature}`],
    ['exp equal to the current time', tokenOf({ exp: nowSeconds })],
    ['exp in the past', tokenOf({ exp: nowSeconds - 1 })],
    ['exp as a string', tokenOf({ exp: String(nowSeconds + 60) })],
    ['exp null', tokenOf({ exp: null })],
    ['nbf beyond the clock tolerance', tokenOf({ nbf: nowSeconds + 61 })],
    ['claims that are an array', tokenOf([])],
    ['claims that are null', tokenOf(null)],
    ['claims that are not JSON', tokenOf('{')],
    ['an RS256 header over an HMAC', tokenOf(good, { head: { alg: 'RS256' } })],
    ['a nbf that is a string', tokenOf({ nbf: String(nowSeconds) })],
    ['dots only', '.'.repeat(10_000)],
  ])('with %s is rejected', (_what, token) => {
    expect(find(token)).toBeUndefined();
  });

  test('is rejected when any character changes', () => {
    const token = tokenOf(good);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'Aa0_-.='), (at, letter) => {
        const forged = token.slice(0, at) + letter + token.slice(at + 1);
        // The last character of the signature has spare bits; only its canonical spelling is accepted.
        expect(find(forged)).toEqual(forged === token ? good : undefined);
      }),
    );
    expect(find(tokenOf(good, { key: '' }), 'HS256', '')).toBeUndefined();
  });

  test('of 5 MB is rejected in linear time', () => {
    // A quadratic pattern would take days for the padding.
    expect(find(`a.b.${'='.repeat(5_000_000)}x`)).toBeUndefined();
    expect(find(tokenOf({ ...good, filler: 'x'.repeat(5_000_000) }))).toBeUndefined();
  });
});

describe('findDecrypted', () => {
  const key = Buffer.alloc(32, 7);
  const iv = Buffer.alloc(12, 1);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const hidden = Buffer.concat([cipher.update('{"id":1}'), cipher.final()]);
  const parts = {
    keyHex: key.toString('hex'),
    ivHex: iv.toString('hex'),
    tagHex: cipher.getAuthTag().toString('hex'),
    cipherHex: hidden.toString('hex'),
  };

  test('returns the plaintext for the right parts and undefined when any part differs', () => {
    expect(findDecrypted(parts)?.toString()).toBe('{"id":1}');
    expect(findDecrypted({ ...parts, keyHex: parts.keyHex.toUpperCase() })?.toString()).toBe('{"id":1}');
    fc.assert(
      fc.property(fc.constantFrom(...(Object.keys(parts) as (keyof typeof parts)[])), fc.string(), (name, text) => {
        expect(findDecrypted({ ...parts, [name]: text })).toBeUndefined();
      }),
    );
    for (const tagHex of [undefined, '', parts.tagHex.slice(2), '00'.repeat(16), parts.tagHex.slice(0, 8)])
      expect(findDecrypted({ ...parts, tagHex })).toBeUndefined();
    expect(findDecrypted({ ...parts, cipherHex: 'ab'.repeat(1_000_000) })).toBeUndefined();
  });
});
