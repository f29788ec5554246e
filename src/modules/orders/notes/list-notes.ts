import type { Sql } from '../../../platform/database/index.ts';
import { offsetOf, type Paging } from '../../../platform/http/paging.ts';
import { isId } from '../../../platform/ids.ts';
import type { OrderOwner } from '../ordering.ts';
import { orderNotFound } from '../refusals.ts';
import { countNotes, listNoteRows, type NoteRow } from '../sql/notes.ts';
import { orderExists } from '../sql/order-scope.ts';

export async function listNotes(
  sql: Sql,
  owner: OrderOwner,
  id: string,
  paging: Paging,
): Promise<{ notes: NoteRow[]; total: number }> {
  if (!isId(id)) throw orderNotFound(id);
  const key = { organizationId: owner.organizationId, id };
  const [isFound, notes, total] = await Promise.all([
    orderExists(sql, owner, id),
    listNoteRows(sql, key, { limit: paging.limit, offset: offsetOf(paging) }),
    countNotes(sql, key),
  ]);
  if (!isFound) throw orderNotFound(id);
  return { notes, total };
}
