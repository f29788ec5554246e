/** These begin like settings of ours and can be nobody else's. */
const OURS = /^(DUKKAN|WEBHOOK)_/;

/** A line for each that nobody has asked for: a name typed wrong would otherwise change nothing and say nothing. */
export function findUnknownSettings(env: Record<string, string | undefined>, known: readonly string[]): string[] {
  const unknown = Object.keys(env).filter(
    (name) => OURS.test(name) && env[name] !== undefined && !known.includes(name),
  );
  return unknown.toSorted().map((name) => `There is no setting ${name}; the closest is ${closestTo(name, known)}`);
}

function closestTo(name: string, known: readonly string[]): string {
  const alike = known.filter((candidate) => OURS.test(candidate));
  return alike.reduce((best, next) => (distance(name, next) < distance(name, best) ? next : best), alike[0] ?? '');
}

/** How many letters have to be added, taken away or changed to make one of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [place, otherLetter] of [...other].entries()) {
      const change = (row[place] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(change, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
