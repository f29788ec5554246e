import type { Queryable, Tx } from '../../../platform/database/index.ts';
import type { OrderKey } from './find-orders.ts';

export type NoteRow = {
  id: string;
  order_id: string;
  body: string;
  author_kind: string;
  author_id: string;
  author_name: string;
  created: Date;
};

/** Oldest first. */
export function listNoteRows(
  sql: Queryable,
  { organizationId, id }: OrderKey,
  { limit, offset }: { limit: number; offset: number },
): Promise<NoteRow[]> {
  return sql<NoteRow[]>`
    select id, order_id, body, author_kind, author_id, author_name, created from order_notes
    where organization_id = ${organizationId} and order_id = ${id}
    order by created, id limit ${limit} offset ${offset}`;
}

export async function countNotes(sql: Queryable, { organizationId, id }: OrderKey): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from order_notes where organization_id = ${organizationId} and order_id = ${id}`;
  return row?.total ?? 0;
}

export async function findNote(sql: Queryable, order: OrderKey, noteId: string): Promise<NoteRow | undefined> {
  const [note] = await sql<NoteRow[]>`
    select id, order_id, body, author_kind, author_id, author_name, created from order_notes
    where organization_id = ${order.organizationId} and order_id = ${order.id} and id = ${noteId}`;
  return note;
}

export async function insertNotes(tx: Tx, organizationId: string, notes: readonly NoteRow[]): Promise<void> {
  const rows = notes.map((note) => ({ organization_id: organizationId, ...note }));
  await tx`insert into order_notes ${tx(rows)}`;
}

export async function removeNote(tx: Tx, order: OrderKey, noteId: string): Promise<void> {
  await tx`
    delete from order_notes
    where organization_id = ${order.organizationId} and order_id = ${order.id} and id = ${noteId}`;
}
