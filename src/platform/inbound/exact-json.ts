import { Unreadable } from './unreadable.ts';

/** The deepest payload seen of any vendor has 11 levels. PostgreSQL and a recursive walk both give up somewhere. */
const MAX_DEPTH = 64;
const MANY_DIGITS = /\d{16}|[eE]/;

/**
 * JSON with its digits intact: a number that a float would change (an id beyond 2^53) is given as the text it was written
 * in. Everything else is as `JSON.parse` gives it. What is no JSON is Unreadable.
 */
export function parseExactJson(bytes: Buffer | string): unknown {
  const text = typeof bytes === 'string' ? bytes : decode(bytes);
  refuseDeep(text);
  try {
    // A reviver costs three times the parse; few payloads have a number that needs it.
    return MANY_DIGITS.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
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

// TypeScript's own types do not know the third argument yet.
function keepDigits(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return isSameNumber(value, context.source) ? value : context.source;
}

function isSameNumber(value: number, source: string): boolean {
  if (String(value) === source) return true;
  if (!Number.isFinite(value) || /[eE]/.test(source)) return Number.isFinite(value);
  // 12.50 and 12.5 are one number; 12.500000000000000001 is another.
  const plain = source.includes('.') ? source.replace(/\.?0+$/, '') : source;
  return plain === String(value) || plain === '-0';
}

/** Counted on the text, before anything recursive sees it. */
function refuseDeep(text: string): void {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inText) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === BRACE || code === BRACKET) {
      depth += 1;
      if (depth > MAX_DEPTH) throw new Unreadable('too_deep', `The payload is nested deeper than ${MAX_DEPTH} levels`);
    } else if (code === BRACE_END || code === BRACKET_END) depth -= 1;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
