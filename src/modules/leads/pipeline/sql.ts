import type { Queryable, Tx } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';
import type { LeadRow } from '../sql.ts';

export const LEAD_STATUSES = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

export type PipelineRow = LeadRow & {
  status: LeadStatus;
  assignee_id: string | null;
  notes_count: number;
  updated: Date;
};

export type PipelineFilter = {
  status?: LeadStatus | undefined;
  /** `none`: leads without one. */
  assigneeId?: string | undefined;
};

const columns = (sql: Queryable) => sql`
  id, name, email, phone, position, plan, contact_reason, erp, notes, created, status, assignee_id, notes_count,
  coalesce(updated, created) as updated`;

function matches(sql: Queryable, { status, assigneeId }: PipelineFilter) {
  return sql`
    ${status === undefined ? sql`true` : sql`status = ${status}`}
    and ${
      assigneeId === undefined
        ? sql`true`
        : assigneeId === 'none'
          ? sql`assignee_id is null`
          : sql`assignee_id = ${assigneeId}::uuid`
    }`;
}

export function listPipelineRows(sql: Queryable, filter: PipelineFilter, paging: Paging): Promise<PipelineRow[]> {
  return sql<PipelineRow[]>`
    select ${columns(sql)} from leads where ${matches(sql, filter)}
    order by created desc, id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
}

export function listPipelineRowsById(sql: Queryable, ids: readonly string[]): Promise<PipelineRow[]> {
  return sql<PipelineRow[]>`
    select ${columns(sql)} from leads where id = any(${[...ids]}::uuid[]) order by created desc, id desc`;
}

/** What a search looks at, the newest first. The form is public and takes 10,000 characters a field: of each, those that a real one has. */
export function listSearchTexts(
  sql: Queryable,
  filter: PipelineFilter,
  limit: number,
): Promise<{ id: string; text: string }[]> {
  return sql<{ id: string; text: string }[]>`
    select id, concat_ws(' | ', left(name, 300), email, left(phone, 100), left(position, 300), left(erp, 300)) as text
    from leads where ${matches(sql, filter)}
    order by created desc, id desc limit ${limit}`;
}

export async function countPipelineRows(sql: Queryable, filter: PipelineFilter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select count(*) as total from leads where ${matches(sql, filter)}`;
  return row?.total ?? 0;
}

export async function findPipelineRow(sql: Queryable, id: string): Promise<PipelineRow | undefined> {
  const [row] = await sql<PipelineRow[]>`select ${columns(sql)} from leads where id = ${id}`;
  return row;
}

export async function lockPipelineRow(tx: Tx, id: string): Promise<PipelineRow | undefined> {
  const [row] = await tx<PipelineRow[]>`select ${columns(tx)} from leads where id = ${id} for no key update`;
  return row;
}

export async function updatePipelineRow(tx: Tx, lead: PipelineRow): Promise<void> {
  await tx`
    update leads set status = ${lead.status}, assignee_id = ${lead.assignee_id}, notes_count = ${lead.notes_count},
      updated = ${lead.updated}
    where id = ${lead.id}`;
}

export type NoteRow = {
  lead_id: string;
  id: string;
  body: string;
  author_id: string;
  author_name: string;
  created: Date;
};

export async function insertNote(tx: Tx, note: NoteRow): Promise<void> {
  await tx`insert into lead_notes ${tx(note)}`;
}

/** The newest first: ids follow the order in which notes were written. */
export function listNoteRows(sql: Queryable, leadId: string, paging: Paging): Promise<NoteRow[]> {
  return sql<NoteRow[]>`
    select lead_id, id, body, author_id, author_name, created from lead_notes where lead_id = ${leadId}
    order by id desc limit ${paging.limit} offset ${offsetOf(paging)}`;
}
