import { describe, expect, it } from 'vitest';
import { callingCodeOf } from './calling-codes.ts';
import { phoneDigits, typedPhone } from './phone-numbers.ts';

describe('stored digits', () => {
  it.each<[string | null, string | null]>([
    ['0501234567', '501234567'],
    ['+966 50 123-4567', '966501234567'],
    ['00966501234567', '966501234567'],
    ['٠٥٠١٢٣٤٥٦٧', '501234567'],
    ['+966 (0)50 123 4567', '966501234567'],
    ['tel: 0501234567 ext. 12', '501234567'],
    ['0501234567 ext. 12', '501234567'],
    ['+1 (415) 555-0100', '14155550100'],
    ['000', null],
    ['none', null],
    ['', null],
    [null, null],
  ])('of %j are %j', (phone, digits) => expect(phoneDigits(phone)).toBe(digits));
});

describe('a typed number', () => {
  it.each(['0501234567', '+966501234567', '00966 50 123 4567', '966501234567', '٠٥٠١٢٣٤٥٦٧'])(
    '%j is looked for in every stored form',
    (typed) => {
      const { beginnings = [] } = typedPhone(typed, '966') ?? {};
      expect(beginnings).toEqual(expect.arrayContaining(['501234567', '966501234567']));
    },
  );

  it.each<[string, string | undefined, boolean]>([
    ['123', undefined, false],
    ['1234', '1234', false],
    ['12345', '12345', false],
    ['123456', '123456', true],
    ['+96650', undefined, false],
    ['+966501', undefined, true],
    ['0000', '0000', false],
    ['050-123 4567 x', undefined, false],
    ['noura', undefined, false],
  ])('%j: end %j, by its beginning: %j', (typed, end, hasBeginnings) => {
    const phone = typedPhone(typed, '966');
    expect([phone?.end, (phone?.beginnings.length ?? 0) > 0]).toEqual([end, hasBeginnings]);
  });

  it('without a country is looked for as it is', () => {
    expect(typedPhone('0501234567', undefined)?.beginnings).toEqual(['501234567']);
  });
});

it.each([
  ['Asia/Riyadh', '966'],
  ['Asia/Dubai', '971'],
  ['Asia/Kuwait', '965'],
  ['Africa/Cairo', '20'],
  ['Asia/Kolkata', '91'],
  ['Europe/Kyiv', '380'],
  ['America/New_York', '1'],
  ['UTC', undefined],
  ['Nowhere/None', undefined],
])('the calling code of %s is %s', (timeZone, code) => expect(callingCodeOf(timeZone)).toBe(code));
