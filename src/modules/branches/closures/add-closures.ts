import type { Tx } from '../../../platform/database/index.ts';
import { badRequest, conflict, type Problem } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { addDays, localDay } from '../../../platform/local-day.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import {
  type ClosureBranch,
  type ClosureRow,
  dropOldClosures,
  findClosureConflicts,
  insertClosures,
  type NewClosure,
  updateClosedDays,
} from './sql.ts';

export const MAX_CLOSURES = 100;
export const MAX_CLOSURE_DAYS = 366;
/** The day after it still has a year of four digits, which `closed_days` is compared by. */
const LAST_DAY = '9998-12-31';
/** As long as the audit. */
const KEPT_DAYS = 400;
const NAMED_BRANCHES = 20;

/** The branches are locked by now. All of them get the closure, or none. */
export async function addClosures(
  tx: Tx,
  { organizationId, timeZone }: { organizationId: string; timeZone: string },
  branches: readonly ClosureBranch[],
  closure: NewClosure,
  actor: Actor,
  now: Date,
): Promise<ClosureRow[]> {
  const days = branches.map(({ time_zone }) => localDay(now, time_zone ?? timeZone)).toSorted();
  const today = days[0] ?? localDay(now, timeZone);
  refuseInvalid(closure, days.at(-1) ?? today);
  const ids = branches.map(({ id }) => id);
  await dropOldClosures(tx, organizationId, ids, addDays(today, -KEPT_DAYS));
  const { overlapping, full } = await findClosureConflicts(tx, organizationId, ids, closure, MAX_CLOSURES);
  if (overlapping.length > 0) throw closuresOverlap(overlapping);
  if (full.length > 0) throw tooManyClosures(full);
  const rows = await insertClosures(
    tx,
    organizationId,
    ids.map((branchId) => ({ id: newId(), branchId })),
    closure,
    now,
  );
  await updateClosedDays(tx, organizationId, ids);
  await recordAudit(tx, organizationId, actor, ids.map(closuresChanged), now);
  return rows;
}

/** By the clock of the branch: where several are named, by the clock that is furthest ahead. */
function refuseInvalid({ from, until }: NewClosure, latestToday: string): void {
  const wrong: Record<string, string> = {};
  if (until < from) wrong.until = 'must not be before from';
  else if (until < latestToday) wrong.until = 'must not be in the past';
  else if (until > LAST_DAY) wrong.until = 'must be before the year 9999';
  else if (until > addDays(from, MAX_CLOSURE_DAYS - 1)) wrong.until = `at most ${MAX_CLOSURE_DAYS} days in one closure`;
  if (Object.keys(wrong).length > 0) throw badRequest(wrong, 'Validation failed');
}

export function closuresChanged(branchId: string) {
  return { action: 'update', resource: 'Branches', resourceId: branchId, changedFields: ['closures'] };
}

export function closuresOverlap(ivIds: readonly string[]): Problem {
  return conflict('Closures overlap', { branch_iv_ids: ivIds.slice(0, NAMED_BRANCHES).join(', ') });
}

export function tooManyClosures(ivIds: readonly string[]): Problem {
  return conflict('Too many closures', {
    limit: MAX_CLOSURES,
    branch_iv_ids: ivIds.slice(0, NAMED_BRANCHES).join(', '),
  });
}
