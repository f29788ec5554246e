import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bareCode, newRecoveryCodes } from './recovery-codes.ts';
import { codeAt, findStep, fromBase32, newTotpSecret, otpauthUrl, stepAt, toBase32 } from './totp.ts';

/** The secret of the RFC's vectors; their codes have eight digits, of which ours are the last six. */
const RFC_SECRET = toBase32(Buffer.from('12345678901234567890'));

describe('codes', () => {
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('of RFC 6238 at %i s', (seconds, code) => {
    expect(codeAt(RFC_SECRET, stepAt(new Date(seconds * 1000)))).toBe(code.slice(-6));
  });

  it('are taken one step either side, and no further', () => {
    const now = new Date('2026-11-15T08:00:10Z');
    const secret = newTotpSecret();
    const codes = [-2, -1, 0, 1, 2].map((off) => codeAt(secret, stepAt(now) + off));
    expect(codes.slice(1, 4).map((code) => findStep(secret, code, now))).toEqual(
      [-1, 0, 1].map((off) => stepAt(now) + off),
    );
    const inside = new Set(codes.slice(1, 4));
    for (const code of [codes[0], codes[4]]) {
      if (code !== undefined && !inside.has(code)) expect(findStep(secret, code, now)).toBeUndefined();
    }
    for (const odd of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      expect(findStep(secret, odd, now)).toBeUndefined();
  });
});

describe('base32', () => {
  it('is that of RFC 4648', () => {
    expect(RFC_SECRET).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 });
    fc.assert(fc.property(bytes, (given) => fromBase32(toBase32(Buffer.from(given))).equals(Buffer.from(given))));
  });
});

describe('the address for an authenticator', () => {
  it('names the issuer and the account', () => {
    const url = new URL(otpauthUrl('JBSWY3DP', 'o+n@example.com'));
    expect([url.protocol, url.host, url.pathname]).toEqual(['otpauth:', 'totp', '/Dukkan:o%2Bn%40example.com']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      secret: 'JBSWY3DP',
      issuer: 'Dukkan',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('recovery codes', () => {
  it('are ten unlike each other, and read alike however they are typed', () => {
    const { codes, hashes } = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    expect(hashes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    expect(bareCode(' mfrg gzdf-mztw-q2lk ')).toBe('MFRGGZDFMZTWQ2LK');
  });
});
