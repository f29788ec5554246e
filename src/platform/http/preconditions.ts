import { Problem } from './problem.ts';

/** A quoted tag, weak or strong. */
const TAG = /(?:W\/)?("[^"]*")/g;

/**
 * The version of a resource: its `updated` in quotes, so that rows of lists carry it too. Rejected: a hash of the representation,
 * which a client that has only read a list could not name.
 */
export const etagOf = (updated: Date): string => `"${updated.toISOString()}"`;

/**
 * The time of a change: later than the version it replaces, even if both happen in one millisecond, so that no two versions
 * have the same ETag.
 */
export function updatedAfter(previous: Date | undefined, now: Date): Date {
  return previous === undefined || previous < now ? now : new Date(previous.getTime() + 1);
}

/** Whether `If-Match` allows to change this version. Weak tags count as well: proxies that compress answers weaken them. */
export function isMatch(ifMatch: string | undefined, updated: Date): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return [...ifMatch.matchAll(TAG)].some(([, tag]) => tag === etagOf(updated));
}

type Versioned = { updated: Date };

/** Compares the locked row with the `If-Match` of the request; `shape` is for the answer if it has changed. */
export function versionCheck<Row extends Versioned>(
  ifMatch: string | undefined,
  shape: (row: Row) => { updated: string },
): (row: Row) => void {
  return (row) => {
    if (!isMatch(ifMatch, row.updated)) throw preconditionFailed(shape(row));
  };
}

/** 412 with the resource as it is now, so that the client can compare it with the version that it has read. */
export function preconditionFailed<Shape extends { updated: string }>(current: Shape): Problem {
  return versionConflict(current, new Date(current.updated));
}

/** The same for a resource that names the time of its version otherwise. */
export function versionConflict(current: object, updated: Date): Problem {
  return new Problem(412, 'Precondition failed', { current }, { etag: etagOf(updated) });
}
