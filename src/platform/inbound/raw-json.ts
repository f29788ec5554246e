// Missing in TypeScript's types.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** `\u0000` and unpaired surrogates, which PostgreSQL refuses in JSON. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * A vendor's JSON as text that PostgreSQL accepts, with all digits. Nearly always the text itself; text with escapes that
 * PostgreSQL refuses is serialized again without them.
 */
export function storableJson(bytes: Buffer): string {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  return UNSTORABLE.test(text) ? JSON.stringify(JSON.parse(text, cleaned)) : text;
}

const MANY_DIGITS = /\d{16}/;

/** Parses JSON that will be serialized again: a number that a float would change keeps its digits. */
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
