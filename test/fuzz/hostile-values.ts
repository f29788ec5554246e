import fc from 'fast-check';
import { anyText } from '../harness/any-text.ts';

/** Stands for a number that JSON can write and JavaScript cannot hold; put in place once the rest is text. */
const RAW = /"@raw:([^"]*)@"/g;
const raw = (text: string) => `@raw:${text}@`;

export function toJsonText(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(RAW, '$1');
}

export const hostileText = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '\ufeff',
    '\u202eرجاء',
    'أإآاةهىي\u064b',
    '😀'.repeat(60),
    'x'.repeat(20_000),
    '%',
    '%%_\\',
    '\\',
    '"',
    "'; drop table users; --",
    '{{7*7}}',
    '../../../etc/passwd',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'NaN',
    '0193a1f0-7c00-7000-8000-000000000001',
    '0193A1F0-7C00-7000-8000-00000000000G',
  ),
);

export const hostileNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom<unknown>(
    -1,
    0.1 + 0.2,
    1e21,
    1e308,
    5e-324,
    2 ** 31,
    2 ** 53 + 2,
    -(2 ** 63),
    raw('1e400'),
    raw('-1e400'),
    raw('-0'),
    raw(`1${'0'.repeat(400)}`),
    raw(`0.${'1'.repeat(400)}`),
    raw('9223372036854775808'),
  ),
);

export const oddDates = fc.constantFrom(
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:60Z',
  '9999-12-31T23:59:59-23:59',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '294277-01-01T00:00:00Z',
  '2026-11-15T08:00:00+99:99',
  '2026-11-15T24:00:00Z',
  '2026-11-15',
  '2026-11-15 08:00:00',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  'yesterday',
  '1e9',
);

/** A value of any other kind than was asked for. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hostileText,
  hostileNumber,
  fc.constantFrom<unknown>(null, true, [], {}, [[]], [null], { '': '' }, [[[[[[]]]]]]),
  fc.dictionary(hostileText, hostileText, { maxKeys: 4 }),
);
