import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare, decimal, toText } from '../money.ts';
import { findInstant, findUnixInstant, parseExactJson, readerOf, revisionOf, Unreadable } from './index.ts';

const NOW = new Date('2026-11-15T09:00:00Z');

describe('JSON', () => {
  const digits = fc.stringMatching(/^(?:0|[1-9][0-9]{0,40})$/);
  const numberText = fc
    .tuple(
      fc.constantFrom('', '-'),
      digits,
      fc.stringMatching(/^(?:\.[0-9]{1,40})?$/),
      fc.stringMatching(/^(?:[eE][+-]?[0-9]{1,2})?$/),
    )
    .map((parts) => parts.join(''));

  test('keeps the value of any number', () => {
    fc.assert(
      fc.property(numberText, (source) => {
        const found = parseExactJson(`{"n":${source}}`) as { n: string | number };
        expect(compare(decimal(String(found.n)), decimal(source))).toBe(0);
      }),
      { numRuns: 1_000 },
    );
  });

  test('keeps the digits of any id', () => {
    fc.assert(
      fc.property(digits, (id) => {
        expect(
          readerOf(parseExactJson(`[${id}]`))
            .at(0)
            .findId(),
        ).toBe(id);
      }),
    );
    expect(parseExactJson('[12.50, 125e-1, -0, 1e400, 1e-400, 1000000000000000000000]')).toEqual([
      12.5,
      12.5,
      -0,
      '1e400',
      '1e-400',
      '1000000000000000000000',
    ]);
  });

  test('is otherwise what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        // Floats that print with an exponent come back as that text.
        const plain = JSON.stringify(parseExactJson(text), (_key, inner) =>
          typeof inner === 'string' && /^-?\d+(?:\.\d+)?e[+-]\d+$/.test(inner) ? Number(inner) : inner,
        );
        expect(plain).toBe(text);
      }),
    );
  });

  test('a long number takes no longer than its length', () => {
    // A step for each pair of these digits would be four hours.
    const long = `1.${'0'.repeat(1_000_000)}1`;
    expect(parseExactJson(`[${long}]`)).toEqual([long]);
  });

  test('keeps hostile names as names', () => {
    const found = parseExactJson('{"__proto__":{"admin":true},"constructor":1e5}') as object;
    expect(Object.keys(found)).toEqual(['__proto__', 'constructor']);
    expect((found as { admin?: boolean }).admin).toBeUndefined();
    expect(readerOf({}).at('constructor', 'name').isThere()).toBe(false);
  });

  test.each<[string, string | Buffer, string]>([
    ['nothing', '', 'not_json'],
    ['half an object', '{', 'not_json'],
    ['a number that begins with zero', '{"a":01}', 'not_json'],
    ['NUL', '\u0000', 'not_json'],
    ['other bytes', Buffer.from([0xff, 0xfe, 0x00]), 'not_utf8'],
    ['one level too many', '['.repeat(65) + ']'.repeat(65), 'too_deep'],
    ['a million brackets', '['.repeat(1_000_000), 'too_deep'],
    ['objects without end', '{"a":'.repeat(100_000), 'too_deep'],
  ])('%s is refused', (_what, text, code) => {
    const refusal = (() => {
      try {
        return parseExactJson(text);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(Unreadable);
    expect(refusal).toMatchObject({ code });
  });

  test('brackets in a text are no nesting', () => {
    expect(parseExactJson(JSON.stringify(['['.repeat(1_000), '\\"[{', '{'.repeat(64)]))).toHaveLength(3);
    expect(parseExactJson('['.repeat(64) + ']'.repeat(64))).toHaveLength(1);
  });
});

describe('a reader', () => {
  test('throws nothing but Unreadable at any value', () => {
    const anything = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(
        { toString: 1, valueOf: 1 },
        { toString: null },
        [['1']],
        1e308,
        '9'.repeat(401),
        '1e999',
      ),
    );
    const questions = [
      'findText',
      'findId',
      'getId',
      'findDecimal',
      'getDecimal',
      'findInteger',
      'findFlag',
      'list',
      'entries',
    ] as const;
    fc.assert(
      fc.property(anything, fc.constantFrom(...questions), (value, question) => {
        try {
          readerOf(value)[question]();
        } catch (error) {
          expect(error).toBeInstanceOf(Unreadable);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('takes nothing of one kind for another', () => {
    expect(() => readerOf(['1']).findFlag()).toThrow(Unreadable);
    expect(() => readerOf({ toString: 1, valueOf: 1 }).findFlag()).toThrow(Unreadable);
    expect(() => readerOf('1.00000000000000000001').findInteger()).toThrow(Unreadable);
    expect(() => readerOf('9007199254740993').findInteger()).toThrow(Unreadable);
    expect(readerOf('-12.000').findInteger()).toBe(-12);
    expect(() => readerOf(true).findId()).toThrow(Unreadable);
    expect(() => readerOf('free').findDecimal()).toThrow(Unreadable);
    expect(() => readerOf(1e15).findDecimal()).toThrow(Unreadable);
    expect(() => readerOf('0.000000000000000000001').findDecimal()).toThrow(Unreadable);
    expect(() => readerOf('x'.repeat(201)).findId()).toThrow(Unreadable);
    expect(() => readerOf(Array.from({ length: 5_001 })).list()).toThrow(Unreadable);
  });

  test('gives amounts to the digit', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
        fc.integer({ min: 0, max: 6 }),
        (units, scale) => {
          const text = toText({ units, scale });
          expect(readerOf(text).getDecimal()).toEqual({ units, scale });
          const parsed = readerOf(parseExactJson(text)).getDecimal();
          expect(compare(parsed, { units, scale })).toBe(0);
        },
      ),
    );
  });

  test('says where', () => {
    const order = readerOf({ order: { lines: [{ price: 'free' }] } });
    expect(() => order.at('order', 'lines', 0, 'price').getDecimal()).toThrow(
      expect.objectContaining({ code: 'unexpected', path: 'order.lines.0.price' }),
    );
    expect(() => order.at('order', 'lines', 1, 'price').getDecimal()).toThrow(
      expect.objectContaining({ code: 'missing', path: 'order.lines.1.price' }),
    );
  });

  test('cleans text of what no column holds', () => {
    expect(readerOf(' a\u0000b\ud800 ').findText()).toBe('ab\ufffd');
    expect(readerOf(`${'x'.repeat(1_999)}😀`).findText()).toBe(`${'x'.repeat(1_999)}\ufffd`);
    expect(readerOf('\u0000').findText()).toBeUndefined();
  });
});

describe('times', () => {
  const zones = [
    'Africa/Cairo',
    'America/New_York',
    'Asia/Riyadh',
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
    'UTC',
  ];
  const formatters = new Map(
    zones.map((timeZone) => [
      timeZone,
      new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
    ]),
  );
  const localTimeOf = (instant: Date, zone: string) => formatters.get(zone)?.format(instant) ?? '';
  const wholeSecond = (from: string, to: string) =>
    fc.integer({ min: Date.parse(from) / 1000, max: Date.parse(to) / 1000 }).map((seconds) => new Date(seconds * 1000));
  const changes = ['2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z', '2026-04-23T22:00:00Z', '2026-10-29T21:00:00Z'];
  const nearChange = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -5 * 3600, max: 5 * 3600 }))
    .map(([change, seconds]) => new Date(Date.parse(change) + seconds * 1000));

  test('converts a local time to its instant in every zone', () => {
    const instants = fc.oneof(wholeSecond('2001-01-01T00:00:00Z', '2060-01-01T00:00:00Z'), nearChange);
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), (instant, zone) => {
        const found = findInstant(localTimeOf(instant, zone), zone);
        // An hour that comes twice is either of the two.
        expect(found && localTimeOf(found, zone)).toBe(localTimeOf(instant, zone));
        expect(Math.abs((found?.getTime() ?? 0) - instant.getTime())).toBeLessThanOrEqual(3_600_000);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['Africa/Cairo', '2026-04-24 01:30:00', '2026-04-23T22:30:00Z'],
    ['Africa/Cairo', '2026-04-23 23:30:00', '2026-04-23T21:30:00Z'],
    ['Africa/Cairo', '2026-10-30 00:30:00', '2026-10-29T22:30:00Z'],
    ['America/New_York', '2026-03-08T03:30:00', '2026-03-08T07:30:00Z'],
    ['America/New_York', '2026-11-01 02:30', '2026-11-01T07:30:00Z'],
    ['america/NEW_york', '2026-11-01 02:30', '2026-11-01T07:30:00Z'],
    ['Mars/Olympus', '2026-11-01 02:30', '2026-11-01T02:30:00Z'],
    ['Asia/Riyadh', '2026-11-15 12:00:00.1234567', '2026-11-15T09:00:00.123Z'],
    ['UTC', '2026-11-15T12:00:00+03:00', '2026-11-15T09:00:00Z'],
    ['UTC', '2026-11-15 12:00:00 +0300', '2026-11-15T09:00:00Z'],
    ['UTC', '2026-11-15 12:00:00+03', '2026-11-15T09:00:00Z'],
    ['UTC', '2026-11-15T09:00z', '2026-11-15T09:00:00Z'],
    ['UTC', 'Sun Nov 15 2026 12:00:00 GMT+0300', '2026-11-15T09:00:00Z'],
  ])('in %s, %s is %s', (zone, text, instant) => {
    expect(findInstant(text, zone)).toEqual(new Date(instant));
  });

  test.each([
    '2026-02-31 10:00:00',
    '2026-02-31T10:00:00Z',
    '2026-06-31T10:00:00+03:00',
    '2026-13-01 10:00:00',
    '2026-11-15 25:00:00',
    '2026-11-15 10:60:00',
    '2026-11-15T10:00:00+99:99',
    '0000-00-00 00:00:00',
    '1970-01-01T00:00:00Z',
    '99999-12-31T00:00:00Z',
    '2026-11-15',
    'Sun Foo 15 2026 12:00:00 GMT+0300',
    'yesterday',
    '',
  ])('%s is no time', (text) => {
    expect(findInstant(text, 'Asia/Riyadh')).toBeUndefined();
  });

  test('any text and any number is a believable instant or none', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.stringMatching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:Z|[+-][0-9]{4})?$/),
        ),
        (text) => {
          const found = findInstant(text, 'Africa/Cairo');
          if (found !== undefined) expect(revisionOf(found)).toBe(BigInt(found.getTime()) * 1000n);
        },
      ),
    );
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer()), (value) => {
        const year = findUnixInstant(value)?.getUTCFullYear() ?? 2026;
        expect(year >= 2000 && year <= 2199).toBe(true);
      }),
    );
    expect(findUnixInstant(1_794_733_200)).toEqual(NOW);
    expect(findUnixInstant(1_794_733_200_000)).toEqual(NOW);
  });
});
