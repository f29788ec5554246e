/**
 * The known word closest to the typed one; on a tie the first. Undefined if no known word is close: a wrong suggestion sends the reader
 * to the wrong field (`colour` is not `total_amount`).
 *
 * From closest to farthest: equal except for case and separators; one contains the other at the beginning of a word (`status` and
 * `order_status`, `lat` and `latitude`), the smallest difference in length first; few edits (`limt` and `limit`); few edits of one word
 * of the known name (`nme` and `name_en`).
 */
export function findClosestWord(typed: string, known: Iterable<string>): string | undefined {
  const wanted = toWords(typed);
  let closest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const word of known) {
    const distance = distanceBetween(wanted, toWords(word));
    if (distance >= least) continue;
    closest = word;
    least = distance;
  }
  return closest;
}

/** Clients send any number of names, and a comparison costs the product of the two lengths. */
const MAX_CHARACTERS = 40;
/**
 * Limits of edits: at most 3 and at most 40 % of the longer word. commander allows 60 %; with 40 % `fone` (2 edits in 5 letters) still
 * matches `phone`, and `town` (2 in 4) does not match `lon`.
 */
const MAX_EDITS = 3;
const MAX_EDITED_SHARE = 0.4;
/** Shorter prefixes (`o`, `na`) match too many names, and so do edits of shorter words (`at` and `cat`). */
const MIN_PREFIX_CHARACTERS = 3;
const MIN_EDITED_WORD_CHARACTERS = 4;

type Words = { words: string[]; joined: string };

function toWords(name: string): Words {
  const words = name
    .slice(0, MAX_CHARACTERS)
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');
  return { words, joined: words.join('') };
}

/** 0: equal; from 1: contained; from 2: misspelt; from 3: one word of the known name misspelt; infinite: not close. */
function distanceBetween(typed: Words, known: Words): number {
  if (typed.joined === '' || known.joined === '') return Number.POSITIVE_INFINITY;
  if (typed.joined === known.joined) return 0;
  const longest = Math.max(typed.joined.length, known.joined.length);
  if (isAtWordOf(typed, known) || isAtWordOf(known, typed)) {
    return 1 + Math.abs(typed.joined.length - known.joined.length) / (longest + 1);
  }
  const edits = countAllowedEdits(typed.joined, known.joined);
  if (edits !== undefined) return 2 + edits / longest;
  const editsOfWord = known.words
    .filter((word) => word.length >= MIN_EDITED_WORD_CHARACTERS)
    .map((word) => countAllowedEdits(typed.joined, word) ?? Number.POSITIVE_INFINITY);
  return 3 + Math.min(Number.POSITIVE_INFINITY, ...editsOfWord);
}

/** Whether `outer` contains `inner` at the beginning of a word; a very short `inner` must equal the word. */
function isAtWordOf(inner: Words, outer: Words): boolean {
  let start = 0;
  for (const word of outer.words) {
    const isWhole = inner.joined === word;
    const isLongEnough = inner.joined.length >= MIN_PREFIX_CHARACTERS;
    if (isWhole || (isLongEnough && outer.joined.startsWith(inner.joined, start))) return true;
    start += word.length;
  }
  return false;
}

function countAllowedEdits(left: string, right: string): number | undefined {
  const allowed = Math.min(MAX_EDITS, Math.floor(Math.max(left.length, right.length) * MAX_EDITED_SHARE));
  if (Math.abs(left.length - right.length) > allowed) return undefined;
  const edits = countEdits(left, right);
  return edits <= allowed ? edits : undefined;
}

/** Damerau-Levenshtein distance: insertions, deletions, replacements, swaps of neighbours. */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      current.push(edits);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
