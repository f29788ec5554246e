import { findClosestWord } from './text/closest-word.ts';

/** These begin like settings of ours and can be nobody else's. */
const OURS = /^(DUKKAN|WEBHOOK)_/;

/** A line for each that nobody has asked for: a name typed wrong would otherwise change nothing and say nothing. */
export function findUnknownSettings(env: Record<string, string | undefined>, known: readonly string[]): string[] {
  const unknown = Object.keys(env).filter(
    (name) => OURS.test(name) && env[name] !== undefined && !known.includes(name),
  );
  return unknown.toSorted().map((name) => {
    const closest = closestTo(name, known);
    return `There is no setting ${name}${closest === undefined ? '' : `; the closest is ${closest}`}`;
  });
}

/** The prefix says nothing about which one was meant, and would make every name look alike. */
function closestTo(name: string, known: readonly string[]): string | undefined {
  const ours = known.filter((candidate) => OURS.test(candidate));
  const byRest = new Map(ours.map((candidate) => [candidate.replace(OURS, ''), candidate]));
  const closest = findClosestWord(name.replace(OURS, ''), byRest.keys());
  return closest === undefined ? undefined : byRest.get(closest);
}
