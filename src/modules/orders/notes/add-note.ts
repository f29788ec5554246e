import type { Tx } from '../../../platform/database/index.ts';
import { conflict, type Problem, unprocessable } from '../../../platform/http/problem.ts';
import { isId, newId } from '../../../platform/ids.ts';
import type { Actor } from '../../audit/index.ts';
import type { OrderOwner } from '../ordering.ts';
import { orderNotFound } from '../refusals.ts';
import { countNotes, insertNotes, type NoteRow } from '../sql/notes.ts';
import { lockOrderKey } from '../sql/order-scope.ts';
import { MAX_NOTE_CHARACTERS, MAX_NOTES_PER_ORDER } from './notes-schema.ts';

/** The lock makes the limit exact: of two notes at a time the second counts the first. */
export async function addNote(
  tx: Tx,
  owner: OrderOwner,
  id: string,
  text: string,
  author: Actor,
  now: Date,
): Promise<NoteRow> {
  const body = readBody(text);
  if (!isId(id) || !(await lockOrderKey(tx, owner, id))) throw orderNotFound(id);
  const order = { organizationId: owner.organizationId, id };
  if ((await countNotes(tx, order)) >= MAX_NOTES_PER_ORDER) throw tooManyNotes(id);
  const note = {
    id: newId(),
    order_id: id.toLowerCase(),
    body,
    author_kind: author.kind,
    author_id: author.id,
    author_name: author.name,
    created: now,
  };
  await insertNotes(tx, owner.organizationId, [note]);
  return note;
}

export function tooManyNotes(orderId: string): Problem {
  return conflict('Too many notes', { order_id: orderId, limit: MAX_NOTES_PER_ORDER });
}

/** Characters are code points, as PostgreSQL and the schemas count them. */
function readBody(text: string): string {
  const body = text.trim();
  const length = [...body].length;
  if (length < 1 || length > MAX_NOTE_CHARACTERS) {
    throw unprocessable({ body: `must have 1 to ${MAX_NOTE_CHARACTERS} characters` });
  }
  return body;
}
