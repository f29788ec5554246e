import type { NoteRow } from '../sql/notes.ts';
import type { OrderNoteShape } from './notes-schema.ts';

export function noteShape({ author_kind, author_id, author_name, ...note }: NoteRow): OrderNoteShape {
  return {
    id: note.id,
    order_id: note.order_id,
    body: note.body,
    author: { kind: author_kind, id: author_id, name: author_name },
    created: note.created.toISOString(),
  };
}
