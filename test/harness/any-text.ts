import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/** Every code point that is a character of its own: what `unit: 'binary'` of fast-check takes. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
  // fast-check asks by this whether it may insert words such as `__proto__`.
  placeOf,
);

function placeOf(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (point === undefined || String.fromCodePoint(point) !== character) throw new Error('not a character');
  if (point < FIRST_SURROGATE) return point;
  if (point < FIRST_SURROGATE + SURROGATES) throw new Error('half of a character');
  return point - SURROGATES;
}

/**
 * Text of any characters. With `unit: 'binary'`, fast-check fills a table of all 1.1 million: half a second of a core and 59 MB that the worker
 * keeps, and marks in every full collection.
 */
export function anyText(length: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...length, unit: anyCharacter });
}
