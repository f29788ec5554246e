import { findClosestWord } from './text/closest-word.ts';

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
  const ours = known.filter((candidate) => OURS.test(candidate));
  return findClosestWord(name, ours, { maxEdits: Number.POSITIVE_INFINITY }) ?? '';
}
