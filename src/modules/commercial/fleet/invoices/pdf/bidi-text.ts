/// <reference path="./packages.d.ts" />
import bidiFactory from 'bidi-js';

const bidi = bidiFactory();

export type Direction = 'ltr' | 'rtl';
export type Script = 'latin' | 'arabic';

/** A piece of one line that is drawn at once, from left to right. `text` is what the font is given. */
export type Piece = { text: string; script: Script };

const ARABIC = /[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff\u200c\u200d]/;
/** Digits are written from left to right in Arabic too, and do not join. */
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/;
/** A postal code or a phone number after Arabic letters: by the plain algorithm 12211-7654 would be shown as 7654-12211. */
const NUMBERS = /\d+(?:[-/.:,]\d+)+/g;
/** Marks that order text and have no glyph, and characters that no line may have. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The pieces of a line in the order of the eye, by the Unicode Bidirectional Algorithm. The font shapes a word of Arabic and puts its
 * letters from right to left by itself; the order of words, numbers and punctuation is decided here.
 */
export function orderPieces(text: string, direction: Direction): Piece[] {
  const visible = text.replace(/\s+/g, ' ').replace(INVISIBLE, '');
  const isolated = visible.replace(NUMBERS, (numbers) => `\u2066${numbers}\u2069`);
  const { levels } = bidi.getEmbeddingLevels(isolated, direction);
  const runs: { text: string; script: Script; level: number }[] = [];
  let at = 0;
  for (const character of isolated) {
    const level = levels[at] ?? 0;
    at += character.length;
    if (character === '\u2066' || character === '\u2069') continue;
    const script: Script = ARABIC.test(character) ? 'arabic' : 'latin';
    const last = runs.at(-1);
    const isJoined =
      last !== undefined && last.level === level && last.script === script && character !== ' ' && last.text !== ' ';
    if (isJoined) last.text += character;
    else runs.push({ text: character, script, level });
  }
  return reorder(runs).map(({ text: logical, script, level }) => ({ text: toVisual(logical, script, level), script }));
}

/** Rule L2: from the highest level to the lowest odd one, reverses every sequence of runs at that level or higher. */
function reorder<Run extends { level: number }>(runs: readonly Run[]): Run[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while (to < ordered.length && (ordered[to]?.level ?? 0) >= level) to += 1;
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse());
      from = to;
    }
  }
  return ordered;
}

function toVisual(text: string, script: Script, level: number): string {
  const isRightToLeft = level % 2 === 1;
  // The font reverses Arabic by itself.
  if (script === 'arabic') return text;
  if (!isRightToLeft) return text;
  return [...text]
    .reverse()
    .map((character) => bidi.getMirroredCharacter(character) ?? character)
    .join('');
}

/** The direction of the first letter that has one. */
export function directionOf(text: string, fallback: Direction): Direction {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return fallback;
  return ARABIC.test(letter) && !ARABIC_DIGIT.test(letter) ? 'rtl' : 'ltr';
}
