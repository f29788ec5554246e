import type { Tx } from '../../../platform/database/index.ts';
import { notFound, type Problem } from '../../../platform/http/problem.ts';
import { isId } from '../../../platform/ids.ts';
import type { Actor } from '../../audit/index.ts';
import type { OrderOwner } from '../ordering.ts';
import { orderNotFound } from '../refusals.ts';
import { findNote, type NoteRow, removeNote } from '../sql/notes.ts';
import { lockOrderKey } from '../sql/order-scope.ts';

export type NoteKey = { id: string; noteId: string };

/** `requireRight` throws for an account that may delete its own notes only. */
export async function deleteNote(
  tx: Tx,
  owner: OrderOwner,
  { id, noteId }: NoteKey,
  caller: Actor,
  requireRight: () => void,
): Promise<void> {
  if (!isId(id) || !(await lockOrderKey(tx, owner, id))) throw orderNotFound(id);
  const order = { organizationId: owner.organizationId, id };
  const note = isId(noteId) ? await findNote(tx, order, noteId) : undefined;
  if (note === undefined) throw noteNotFound(noteId);
  if (!isAuthor(note, caller)) requireRight();
  await removeNote(tx, order, noteId);
}

export function noteNotFound(id: string): Problem {
  return notFound('Note not found', { id });
}

const isAuthor = (note: NoteRow, { kind, id }: Actor) => note.author_kind === kind && note.author_id === id;
