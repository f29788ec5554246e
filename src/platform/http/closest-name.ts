/** Longer ones are compared by their beginnings: the comparison costs the product of the lengths. */
const MAX_COMPARED_CHARACTERS = 40;

/**
 * The known name that a wrong one was most likely meant to be: spelled alike but for case and dashes, or one inside the
 * other, the shortest first (`status` is more likely order_status than fulfillment_status, though fewer letters lead
 * from it to `notes`), or else the one that takes the fewest edits.
 */
export function closestName(wrong: string, known: Iterable<string>): string | undefined {
  const plain = plainName(wrong);
  let closest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const distance = distanceBetween(plain, plainName(name));
    if (distance >= least) continue;
    closest = name;
    least = distance;
  }
  return closest;
}

function plainName(name: string): string {
  return name
    .slice(0, MAX_COMPARED_CHARACTERS)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');
}

/** Below 1 the same, from 1 one inside the other, from 2 anything else. */
function distanceBetween(one: string, other: string): number {
  if (one === other) return 0;
  const longest = Math.max(one.length, other.length);
  const isInside = one !== '' && other !== '' && (one.includes(other) || other.includes(one));
  if (isInside) return 1 + Math.abs(one.length - other.length) / (longest + 1);
  return 2 + editsBetween(one, other) / longest;
}

function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to += 1) {
      const replaced = (row[to] ?? 0) + (one[at] === other[to] ? 0 : 1);
      next.push(Math.min(replaced, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
