/**
 * The known word that the typed one was probably meant to be, the closest first and of equally close ones the first. None when
 * no known word is close: a wrong suggestion sends the reader to the wrong field (`colour` is not `total_amount`).
 *
 * Close is, in this order: the same but for case and separators; one of them at the beginning of a word of the other
 * (`status` and `order_status`, `lat` and `latitude`), the smallest difference in length first; few edits (`limt` and `limit`); few
 * edits to one word of the known name (`nme` and `name_en`).
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

/** Names come many to a request and from any client; comparing two costs the product of their lengths. */
const MAX_CHARACTERS = 40;
/**
 * Edits beyond which a word is another word. commander has 3 and 60 % of the longer word's length; 40 % is where `fone` (2 edits in
 * 5 letters) still is `phone` and `town` (2 in 4) no longer `lon`.
 */
const MAX_EDITS = 3;
const MAX_EDITED_SHARE = 0.4;
/** Shorter beginnings (`o`, `na`) are part of too many names, and edits of shorter words (`at` to `cat`) say nothing. */
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

/** Below 1 the same, from 1 contained, from 2 misspelt, from 3 a misspelt word of the known name; infinite when not close. */
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

/** Whether the other name has the whole of this one at the beginning of one of its words; a very short one has to be all of that word. */
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

/** Letters to add, drop, replace, or swap with their neighbour. */
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
