import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { customerIdOf, normalPhone } from './identity.ts';

const ORGANIZATION = '0193a1f0-7c00-7000-8000-000000000001';
const OTHER_ORGANIZATION = '0193a1f0-7c00-7000-8000-000000000002';

describe('a telephone', () => {
  test.each([
    '0501234567',
    '501234567',
    '966501234567',
    '+966501234567',
    '00966501234567',
    '+966 50 123 4567',
    '+966 (0)50-123-4567',
    '٠٥٠١٢٣٤٥٦٧',
    '+٩٦٦٥٠١٢٣٤٥٦٧',
  ])('normalises %s to the same number', (spelling) => {
    expect(normalPhone(spelling)).toBe('966501234567');
  });

  test.each([
    ['0112345678', '966112345678'],
    ['+971501234567', '971501234567'],
    ['+20 10 1234 5678', '201012345678'],
    ['920001234', '920001234'],
  ])('normalises %s to %s', (phone, digits) => {
    expect(normalPhone(phone)).toBe(digits);
  });

  test.each([null, '', '0', '123456', '0000000000', '111-1111', 'not known'])('%j is no number', (phone) => {
    expect(normalPhone(phone)).toBeUndefined();
  });

  test('is unchanged when it is normalised again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+?\d{0,15}$/), (phone) => {
        const once = normalPhone(phone);
        if (once !== undefined) expect(normalPhone(once)).toBe(once);
      }),
    );
  });
});

describe('a customer', () => {
  const idOf = (phone: string | null, email: string | null) => customerIdOf(ORGANIZATION, { phone, email });

  test('is identified by the telephone before the email address', () => {
    expect(idOf('0501234567', 'a@example.com')).toBe(idOf('+966501234567', 'b@example.com'));
    expect(idOf('0501234567', 'a@example.com')).not.toBe(idOf(null, 'a@example.com'));
  });

  test('is identified by the email address in any case when there is no valid telephone', () => {
    expect(idOf('000', ' Noura@Example.com ')).toBe(idOf(null, 'noura@example.com'));
  });

  test('has no id without either', () => {
    expect(idOf(null, null)).toBeNull();
    expect(idOf('', ' ')).toBeNull();
  });

  test('has another id in another organization', () => {
    const contact = { phone: '0501234567', email: null };
    expect(customerIdOf(ORGANIZATION, contact)).not.toBe(customerIdOf(OTHER_ORGANIZATION, contact));
  });
});
