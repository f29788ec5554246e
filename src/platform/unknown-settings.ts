import { findClosestWord } from './text/closest-word.ts';

/** Prefixes of the service's own settings. */
const OWN_PREFIX = /^(DUKKAN|WEBHOOK)_/;

/** A warning for each unknown setting: a mistyped name would otherwise be ignored silently. */
export function findUnknownSettings(env: Record<string, string | undefined>, known: readonly string[]): string[] {
  const unknown = Object.keys(env).filter(
    (name) => OWN_PREFIX.test(name) && env[name] !== undefined && !known.includes(name),
  );
  return unknown.toSorted().map((name) => {
    const closest = closestTo(name, known);
    return `There is no setting ${name}${closest === undefined ? '' : `; the closest is ${closest}`}`;
  });
}

/** Compares without the prefix, which would make all names similar. */
function closestTo(name: string, known: readonly string[]): string | undefined {
  const ours = known.filter((candidate) => OWN_PREFIX.test(candidate));
  const byRest = new Map(ours.map((candidate) => [candidate.replace(OWN_PREFIX, ''), candidate]));
  const closest = findClosestWord(name.replace(OWN_PREFIX, ''), byRest.keys());
  return closest === undefined ? undefined : byRest.get(closest);
}
