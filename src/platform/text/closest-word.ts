/**
 * The known word that the typed one was probably meant to be, the first of those that take the fewest edits. None when
 * all of them take more than `maxEdits`: by default half of the letters, since that is another word.
 */
export function findClosestWord(
  typed: string,
  known: Iterable<string>,
  { maxEdits = Math.max(2, Math.floor(typed.length / 2)) } = {},
): string | undefined {
  return findNearest(known, maxEdits, (word) => countEdits(typed, word));
}

/**
 * The known name that a wrong one was most likely meant to be: spelled alike but for case and dashes, or one inside the
 * other, the shortest first (`status` is more likely order_status than fulfillment_status, though fewer letters lead
 * from it to `notes`), or else the one that takes the fewest edits.
 */
export function findClosestName(wrong: string, known: Iterable<string>): string | undefined {
  const plain = plainName(wrong);
  return findNearest(known, Number.POSITIVE_INFINITY, (name) => distanceBetween(plain, plainName(name)));
}

function findNearest(
  known: Iterable<string>,
  farthest: number,
  distanceTo: (word: string) => number,
): string | undefined {
  let nearest: string | undefined;
  let least = farthest;
  for (const word of known) {
    const distance = distanceTo(word);
    if (distance > least || (distance === least && nearest !== undefined)) continue;
    nearest = word;
    least = distance;
  }
  return nearest;
}

/** Longer ones are compared by their beginnings: the comparison costs the product of the lengths. */
const MAX_WORD_CHARACTERS = 60;
/** Names are many to a request, and strangers choose them. */
const MAX_NAME_CHARACTERS = 40;

function plainName(name: string): string {
  return name
    .slice(0, MAX_NAME_CHARACTERS)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');
}

/** Below 1 the same, from 1 one inside the other, from 2 anything else. */
function distanceBetween(one: string, other: string): number {
  if (one === other) return 0;
  const longest = Math.max(one.length, other.length);
  const isInside = one !== '' && other !== '' && (one.includes(other) || other.includes(one));
  if (isInside) return 1 + Math.abs(one.length - other.length) / (longest + 1);
  return 2 + countEdits(one, other) / longest;
}

/** Letters to add, drop, replace, or swap with their neighbour. */
function countEdits(left: string, right: string): number {
  const [from, to] = [left.slice(0, MAX_WORD_CHARACTERS), right.slice(0, MAX_WORD_CHARACTERS)];
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
