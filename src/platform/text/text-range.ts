/** The texts from `from` up to but not including `to`, in byte order (collation "C"). */
export type TextRange = { from: string; to: string };

/**
 * The texts that begin with a text. A range instead of LIKE: with LIKE, a cached plan whose pattern is a parameter cannot use an
 * index, and `%`, `_` and `\` would have to be escaped.
 */
export function beginningWith(text: string): TextRange {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  for (let last = points.length - 1; last >= 0; last -= 1) {
    const next = nextCodePoint(points[last] ?? 0);
    if (next !== undefined) return { from: text, to: String.fromCodePoint(...points.slice(0, last), next) };
  }
  throw new Error('the empty text has no range');
}

/** UTF-8 sorts by code point. Surrogates are not characters. */
function nextCodePoint(point: number): number | undefined {
  if (point === 0x10ffff) return undefined;
  return point === 0xd7ff ? 0xe000 : point + 1;
}

/** As PostgreSQL's lower() does in the collation "C". */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
