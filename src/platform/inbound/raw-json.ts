// TypeScript's own types do not know it yet.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** `\u0000`, and either half of a surrogate pair: what PostgreSQL refuses to read out of JSON. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * A vendor's JSON as text that the database takes, every digit as it was. Nearly always the text itself; one with escapes
 * that no text can hold is written anew without them.
 */
export function storableJson(bytes: Buffer): string {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return UNSTORABLE.test(text) ? JSON.stringify(JSON.parse(text, cleaned)) : text;
}

const MANY_DIGITS = /\d{16}/;

/** What JSON text means, to be written as JSON again: a number that a float would change is written as it was. */
export function rawJsonValue(text: string): unknown {
  return MANY_DIGITS.test(text) ? JSON.parse(text, asWritten) : JSON.parse(text);
}

function asWritten(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  const isChanged = typeof value === 'number' && context?.source !== undefined && String(value) !== context.source;
  return isChanged ? rawJSON(context.source ?? '') : value;
}

function cleaned(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number' && context?.source !== undefined) return rawJSON(context.source);
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storable(name), inner]));
}

function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
