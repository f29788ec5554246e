import { Unreadable } from './unreadable.ts';

/** The deepest payload seen of any vendor has 11 levels. PostgreSQL and recursive functions have a limit too. */
const MAX_DEPTH = 64;
/**
 * The largest of the vendors' samples has 924 values. Every value costs an object or a call of the reviver: a 2 MB list
 * of `{}` has 700,000 of them and blocked the event loop for 3.8 s.
 */
export const MAX_JSON_VALUES = 50_000;
/** A number of fifteen digits is itself again after a float; one with an exponent may have any number of them. */
const MANY_DIGITS = /[\d.]{16}|\d[eE][+-]?\d/;

/**
 * JSON without loss of digits: a number that a float would change (an id beyond 2^53) becomes the text it was written in.
 * Everything else is parsed as by `JSON.parse`. Invalid JSON is Unreadable, as are texts nested too deep or with too many
 * values; both are counted on the text before anything is allocated.
 */
export function parseExactJson(bytes: Buffer | string): unknown {
  return parseCountedJson(bytes, MAX_JSON_VALUES).json;
}

/** The same with the caller's limit; also returns the number of values. */
export function parseCountedJson(bytes: Buffer | string, maxValues: number): { json: unknown; values: number } {
  const text = typeof bytes === 'string' ? bytes : decode(bytes);
  const values = countValues(text, maxValues);
  try {
    // A reviver costs three times the parse; few payloads have a number that needs it.
    return { json: MANY_DIGITS.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text), values };
  } catch {
    throw new Unreadable('not_json', 'The payload is not JSON');
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Unreadable('not_utf8', 'The payload is not UTF-8 text');
  }
}

// The third argument is missing in TypeScript's types.
function keepDigits(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return isSameNumber(value, context.source) ? value : context.source;
}

/** A float printed with an exponent where none was written is not the original id. */
function isSameNumber(value: number, source: string): boolean {
  const text = String(value);
  if (text === source) return true;
  return Number.isFinite(value) && !text.includes('e') && canonical(text) === canonical(source);
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * One text for each value: 12.50, 12.5 and 125e-1 are one number, 12.500000000000000001 is another. Zeros are counted by
 * hand: looking for `0+$` in a long number takes a step for every pair of its digits, and a minute for 80,000.
 */
function canonical(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  const digits = whole + fraction;
  let first = 0;
  let end = digits.length;
  while (first < end && digits[first] === '0') first += 1;
  while (end > first && digits[end - 1] === '0') end -= 1;
  if (first === end) return '0';
  return `${sign}${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/**
 * How many values JSON text holds, names of fields not counted; throws where it is deeper than `MAX_DEPTH` or has more than
 * `maxValues`. Each value but the first stands behind a comma or opens a list or object; an empty list or object counts
 * as one more, which errs on the safe side. 6 ms for 2 MB.
 */
function countValues(text: string, maxValues: number): number {
  let depth = 0;
  let values = 1;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inText) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === COMMA) {
      values += 1;
      if (values > maxValues) throw tooManyValues(maxValues);
    } else if (code === BRACE || code === BRACKET) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) throw new Unreadable('too_deep', `The payload is nested deeper than ${MAX_DEPTH} levels`);
      if (values > maxValues) throw tooManyValues(maxValues);
    } else if (code === BRACE_END || code === BRACKET_END) depth -= 1;
  }
  return values;
}

function tooManyValues(maxValues: number): Unreadable {
  return new Unreadable('too_many_values', `The payload holds more than ${maxValues} values`);
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
