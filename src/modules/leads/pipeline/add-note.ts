import type { Tx } from '../../../platform/database/index.ts';
import { conflict } from '../../../platform/http/problem.ts';
import { newId } from '../../../platform/ids.ts';
import { type Actor, OPERATOR_SCOPE, recordAudit } from '../../audit/index.ts';
import { getLockedLead } from './change-lead.ts';
import { insertNote, type NoteRow, updatePipelineRow } from './sql.ts';

export const MAX_NOTES = 500;

/** Under the lock of its lead, which counts its notes. */
export async function addNote(tx: Tx, leadId: string, body: string, actor: Actor, now: Date): Promise<NoteRow> {
  const lead = await getLockedLead(tx, leadId);
  if (lead.notes_count >= MAX_NOTES) throw tooManyNotes();
  const note = { lead_id: lead.id, id: newId(), body, author_id: actor.id, author_name: actor.name, created: now };
  await insertNote(tx, note);
  await updatePipelineRow(tx, { ...lead, notes_count: lead.notes_count + 1, updated: now });
  await recordAudit(
    tx,
    OPERATOR_SCOPE,
    actor,
    [{ action: 'add-note', resource: 'Settings', resourceId: lead.id }],
    now,
  );
  return note;
}

export const tooManyNotes = () => conflict('Too many notes', { limit: MAX_NOTES });
