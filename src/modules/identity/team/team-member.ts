import type { Queryable } from '../../../platform/database/index.ts';
import { notFound, type Problem } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { Standing } from '../permissions.ts';
import { findTeamRow, type MemberRow, type StandingRow } from '../sql/team.ts';

export async function getMember(sql: Queryable, organizationId: string, id: string, now: Date): Promise<MemberRow> {
  const row = isId(id) ? await findTeamRow(sql, organizationId, id, now) : undefined;
  if (row === undefined) throw memberNotFound(id);
  return row;
}

export function memberNotFound(id: string): Problem {
  return notFound('Member not found', { id });
}

export function standingOf({ role, grants_added, grants_withheld }: StandingRow): Standing {
  return { role, grantsAdded: grants_added, grantsWithheld: grants_withheld };
}

export function memberShape({ branch_id: _branch, ...row }: MemberRow) {
  return {
    ...row,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    created: row.created.toISOString(),
    updated: row.updated.toISOString(),
  };
}
