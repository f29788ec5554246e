import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRetryAfter, toExcerpt } from './response-reading.ts';

describe('toExcerpt', () => {
  it.each([
    ['plain text', Buffer.from('ok'), 'ok'],
    ['Arabic', Buffer.from('تم الاستلام'), 'تم الاستلام'],
    ['NUL and control characters', Buffer.from('a\0b\x1b[31mc\x7f'), 'ab[31mc'],
    ['lines and tabs', Buffer.from('a\tb\nc\r\n'), 'a\tb\nc\n'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
    ['an encoded surrogate', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 'a\ufffd\ufffd\ufffd'],
    ['nothing', Buffer.alloc(0), ''],
  ])('shows %s', (_what, body, text) => {
    expect(toExcerpt(body)).toBe(text);
  });

  it('cuts between characters', () => {
    const excerpt = toExcerpt(Buffer.from(`x${'€'.repeat(2000)}`));
    expect(excerpt).toBe(`x${'€'.repeat(341)}`);
  });

  it('is storable text of at most 1 kB, whatever came in', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        const excerpt = toExcerpt(Buffer.from(bytes));
        expect(excerpt.isWellFormed()).toBe(true);
        expect(excerpt).not.toContain('\0');
        expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(1024);
      }),
    );
  });
});

describe('readRetryAfter', () => {
  const now = new Date('2026-03-01T12:00:00Z');

  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['86400', 86_400],
    ['999999999999999999999', 86_400],
    ['Sun, 01 Mar 2026 12:01:30 GMT', 90],
    ['Sunday, 01-Mar-26 12:01:30 GMT', 90],
    ['Sun Mar  1 12:01:30 2026', 90],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Fri, 01 Mar 2030 12:00:00 GMT', 86_400],
    [['30', '60'], 30],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Sun, 99 Mar 2026 12:01:30 GMT', undefined],
    ['2026-03-01T12:01:30Z', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %j as %j', (header, seconds) => {
    expect(readRetryAfter(header, now)).toBe(seconds);
  });
});
