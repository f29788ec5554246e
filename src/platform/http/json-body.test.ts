import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../test/harness/any-text.ts';
import { isStorable, isStorableText, parseJsonBody } from './json-body.ts';
import { Problem } from './problem.ts';

const parse = (text: string) => parseJsonBody(Buffer.from(text));

function refusalOf(body: string | Buffer): { status: number; message: string; details: unknown } {
  try {
    parseJsonBody(Buffer.from(body));
  } catch (error) {
    if (error instanceof Problem) return { status: error.status, message: error.message, details: error.details };
    throw error;
  }
  throw new Error(`${body} was taken`);
}

describe('a good body', () => {
  it('is read as JSON reads it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 10, stringUnit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('__proto__') && !text.includes('constructor') && !text.includes('\\u0000'));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['escapes that are fine', '{"a":"\\u0041\\ud83d\\ude00\\\\u0000"}', { a: 'A😀\\u0000' }],
    ['brackets inside text', `{"a":"${'['.repeat(200)}","b":"\\"{{{"}`, { a: '['.repeat(200), b: '"{{{' }],
    ['Arabic', '{"name_ar":"صيدليات نجد"}', { name_ar: 'صيدليات نجد' }],
    ['a byte order mark', '\ufeff[1]', [1]],
    ['64 levels', '['.repeat(64) + ']'.repeat(64), JSON.parse('['.repeat(64) + ']'.repeat(64))],
    ['null', 'null', null],
  ])('%s', (_what, text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it('cannot touch prototypes', () => {
    const value = parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":1}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('admin' in value).toBe(false);
    expect(Object.keys(value)).toEqual(['a']);
  });
});

describe('a body that is refused with 400', () => {
  it.each([
    ['empty', '', 'The request body is empty'],
    ['white space', '  \n', 'The request body is not valid JSON'],
    ['cut off', '{"a":', 'The request body is not valid JSON'],
    ['with a trailing comma', '{"a":1,}', 'The request body is not valid JSON'],
    ['with a single quote', "{'a':1}", 'The request body is not valid JSON'],
    ['ending inside an escape', '{"a":"\\', 'The request body is not valid JSON'],
    ['with NaN', '{"a":NaN}', 'The request body is not valid JSON'],
    ['with a raw control character', '{"a":"\u0001"}', 'The request body is not valid JSON'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 'The request body is not valid UTF-8'],
    ['with an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'The request body is not valid UTF-8'],
    ['with a NUL', '{"a":"x\\u0000"}', 'The request body holds NUL characters or lone surrogates'],
    ['with a NUL in a key', '{"\\u0000":1}', 'The request body holds NUL characters or lone surrogates'],
    ['with a lone high surrogate', '["\\ud83d"]', 'The request body holds NUL characters or lone surrogates'],
    ['with a lone low surrogate', '[{"a":["\\ude00x"]}]', 'The request body holds NUL characters or lone surrogates'],
    ['65 levels deep', '['.repeat(65), 'The request body is nested more than 64 levels deep'],
    ['10,000 levels deep', '{"a":'.repeat(10_000), 'The request body is nested more than 64 levels deep'],
  ])('%s', (_what, body, details) => {
    expect(refusalOf(body)).toEqual({ status: 400, message: 'Malformed JSON', details });
  });

  it('whatever the bytes, it is read or refused, never anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          parseJsonBody(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
    );
  });
});

describe('what PostgreSQL can keep', () => {
  it('is text that is well formed and without NUL, at any depth', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(isStorableText(text)).toBe(text.isWellFormed() && !text.includes('\0'));
        expect(isStorable({ deep: [{ [text]: 1 }, text] })).toBe(isStorableText(text));
      }),
    );
    expect(isStorableText('\ud800')).toBe(false);
    expect([1, true, null, undefined].every(isStorable)).toBe(true);
  });
});
