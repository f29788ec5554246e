import { isUtf8 } from 'node:buffer';
import { parse as parseSafely } from 'secure-json-parse';
import { DEFAULT_MAX_VALUES } from './body-limits.ts';
import { badRequest, tooLarge } from './problem.ts';

const MAX_DEPTH = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;

/**
 * Parses a JSON body, refusing what PostgreSQL cannot keep: text that is not UTF-8, NUL characters, lone surrogates,
 * and nesting that would exhaust a stack further down. One pass over the bytes (about 1 ns each) decides whether the
 * slower look at every string is needed, since NULs and lone surrogates can only arrive as \u escapes. It also counts
 * the values, since what a body costs to parse and to hold goes by them more than by its bytes.
 */
export function parseJsonBody(bytes: Buffer, maxValues: number = DEFAULT_MAX_VALUES): unknown {
  if (bytes.length === 0) throw badRequest('The request body is empty', 'Malformed JSON');
  if (!isUtf8(bytes)) throw badRequest('The request body is not valid UTF-8', 'Malformed JSON');
  const { hasUnicodeEscapes } = scan(bytes, maxValues);
  let value: unknown;
  try {
    value = parseSafely(bytes.toString('utf8'), undefined, { protoAction: 'remove', constructorAction: 'remove' });
  } catch {
    throw badRequest('The request body is not valid JSON', 'Malformed JSON');
  }
  if (hasUnicodeEscapes && !isStorable(value)) {
    throw badRequest('The request body holds NUL characters or lone surrogates', 'Malformed JSON');
  }
  return value;
}

function scan(bytes: Buffer, maxValues: number): { hasUnicodeEscapes: boolean } {
  let depth = 0;
  // Each comma and each opening bracket has at most one value after it.
  let values = 1;
  let inString = false;
  let hasUnicodeEscapes = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === BACKSLASH) {
        index += 1;
        if (bytes[index] === LETTER_U) hasUnicodeEscapes = true;
      } else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === COMMA) values += 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      values += 1;
      depth += 1;
      if (depth > MAX_DEPTH) {
        throw badRequest(`The request body is nested more than ${MAX_DEPTH} levels deep`, 'Malformed JSON');
      }
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
  }
  if (values > maxValues) throw tooLarge(`The request body holds more than ${maxValues} values`);
  return { hasUnicodeEscapes };
}

/** True when every string in the value, keys included, can be kept as PostgreSQL text. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  return Object.entries(value).every(([key, item]) => isStorableText(key) && isStorable(item));
}

export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}
