import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { notFound, unprocessable } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import { type Author, OPERATOR_SCOPE, recordAudit, updateEntries } from '../../audit/index.ts';
import { isActiveOperator } from '../../identity/index.ts';
import { findPipelineRow, type LeadStatus, lockPipelineRow, type PipelineRow, updatePipelineRow } from './sql.ts';

export type LeadChange = {
  status?: LeadStatus;
  /** null: no one. */
  assignee_id?: string | null;
};

export async function changeLead(
  tx: Tx,
  id: string,
  change: LeadChange,
  author: Author,
  now: Date,
): Promise<PipelineRow> {
  const before = await getLockedLead(tx, id);
  const after: PipelineRow = {
    ...before,
    status: change.status ?? before.status,
    assignee_id: change.assignee_id === undefined ? before.assignee_id : (change.assignee_id?.toLowerCase() ?? null),
  };
  const entries = updateEntries('Settings', ['status', 'assignee_id'], [{ id: before.id, before, after }]);
  if (entries.length === 0) return before;
  if (after.assignee_id !== before.assignee_id && after.assignee_id !== null) {
    if (!(await isActiveOperator(tx, after.assignee_id))) throw notAnOperator();
  }
  const saved = { ...after, updated: now };
  await updatePipelineRow(tx, saved);
  await recordAudit(tx, OPERATOR_SCOPE, author, entries, now);
  return saved;
}

export async function getLead(sql: Queryable, id: string): Promise<PipelineRow> {
  const lead = isId(id) ? await findPipelineRow(sql, id) : undefined;
  if (lead === undefined) throw leadNotFound(id);
  return lead;
}

export async function getLockedLead(tx: Tx, id: string): Promise<PipelineRow> {
  const lead = isId(id) ? await lockPipelineRow(tx, id) : undefined;
  if (lead === undefined) throw leadNotFound(id);
  return lead;
}

export const leadNotFound = (id: string) => notFound('Lead not found', { id });
export const notAnOperator = () => unprocessable({ assignee_id: 'is no active operator' });
