import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findIban, maskIban } from './iban.ts';

const VALID = [
  'SA0380000000608010167519',
  'AE070331234567890123456',
  'KW81CBKU0000000000001234560101',
  'GB29NWBK60161331926819',
  'DE89370400440532013000',
  'NO9386011117947',
];

describe('an IBAN', () => {
  it.each(VALID)('%s is valid, also with spaces and in lower case', (iban) => {
    const written = iban.toLowerCase().replaceAll(/(.{4})/g, '$1 ');
    expect(findIban(written)).toBe(iban);
  });

  it('with any other digit, or two digits swapped, is invalid', () => {
    for (const iban of VALID) {
      for (let index = 4; index < iban.length; index += 1) {
        const sign = iban.charAt(index);
        if (!/\d/.test(sign)) continue;
        const other = iban.slice(0, index) + ((Number(sign) + 1) % 10) + iban.slice(index + 1);
        expect(findIban(other), other).toBeUndefined();
        const next = iban.charAt(index + 1);
        if (!/\d/.test(next) || next === sign) continue;
        const swapped = iban.slice(0, index) + next + sign + iban.slice(index + 2);
        expect(findIban(swapped), swapped).toBeUndefined();
      }
    }
  });

  it.each([
    ['another length', 'SA038000000060801016751'],
    ['a right sum and a wrong length', 'SA6380000000608010167'],
    ['an unknown country', 'ZZ0380000000608010167519'],
    ['signs', 'SA03 8000 0000 6080 1016 75!9'],
    ['nothing', ''],
    ['far too much', 'SA'.repeat(1000)],
  ])('with %s is invalid', (_what, written) => {
    expect(findIban(written)).toBeUndefined();
  });

  it('is never parsed from other text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (written) => {
        expect(findIban(written) ?? 'AA00').toMatch(/^[A-Z]{2}\d{2}[A-Z0-9]*$/);
      }),
    );
  });

  it('is masked to its country and last four digits', () => {
    expect(maskIban('SA0380000000608010167519')).toBe('SA** **** **** **** **** 7519');
    expect(maskIban('NO9386011117947')).toBe('NO** **** ***7 947');
  });
});
