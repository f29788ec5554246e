import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveKey, secretBox } from './secret-box.ts';

const box = secretBox('the secret of the service');
const anyText = fc.string({ unit: 'grapheme', maxLength: 200 });

describe('secret box', () => {
  it('opens what it sealed', () => {
    fc.assert(fc.property(anyText, (plain) => box.open(box.seal(plain)) === plain));
  });

  it('seals the same text differently every time and never shows it', () => {
    const [first, second] = [box.seal('whsec_c2VjcmV0'), box.seal('whsec_c2VjcmV0')];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('whsec_')).toBe(false);
  });

  it('refuses whatever was changed by a single bit', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.integer({ min: 0, max: 7 }), (plain, place, bit) => {
        const sealed = box.seal(plain);
        const index = place % sealed.length;
        sealed[index] = (sealed[index] ?? 0) ^ (1 << bit);
        expect(() => box.open(sealed)).toThrow();
      }),
    );
  });

  it('refuses whatever was cut short, also down to a part of the tag', () => {
    fc.assert(
      fc.property(fc.constantFrom('', 'a', 'a longer text'), fc.nat(), (plain, length) => {
        const sealed = box.seal(plain);
        expect(() => box.open(sealed.subarray(0, length % sealed.length))).toThrow();
      }),
    );
  });

  it('cannot open what another secret sealed', () => {
    expect(() => secretBox('another secret').open(box.seal('text'))).toThrow();
  });
});

describe('derived keys', () => {
  it('are stable for a purpose and unlike for two', () => {
    expect(deriveKey('s', 'jwt').equals(deriveKey('s', 'jwt'))).toBe(true);
    expect(deriveKey('s', 'jwt').equals(deriveKey('s', 'seal-at-rest'))).toBe(false);
    expect(deriveKey('s', 'jwt').equals(deriveKey('t', 'jwt'))).toBe(false);
    expect(deriveKey('s', 'jwt')).toHaveLength(32);
  });
});
