/** The known word that the typed one was probably meant to be; none when they have too little in common. */
export function findClosest(typed: string, known: Iterable<string>): string | undefined {
  let closest: string | undefined;
  // Half of the letters wrong is another word.
  let fewest = Math.max(2, Math.floor(typed.length / 2)) + 1;
  for (const word of known) {
    const distance = countEdits(typed, word);
    if (distance >= fewest) continue;
    closest = word;
    fewest = distance;
  }
  return closest;
}

const MAX_COMPARED_CHARACTERS = 60;

/** Letters to add, drop, replace, or swap with their neighbour. */
function countEdits(left: string, right: string): number {
  const [from, to] = [left.slice(0, MAX_COMPARED_CHARACTERS), right.slice(0, MAX_COMPARED_CHARACTERS)];
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
