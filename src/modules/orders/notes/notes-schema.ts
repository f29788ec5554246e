import { type Static, Type } from 'typebox';
import { listEnvelopeOf, mutationEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { PageQuery } from '../../../platform/http/paging.ts';
import { orderId } from '../examples.ts';

export const MAX_NOTE_CHARACTERS = 2_000;
export const MAX_NOTES_PER_ORDER = 200;

export const exampleNoteId = '0193a1f0-7c00-7000-8000-000000000d01';
const example = {
  id: exampleNoteId,
  order_id: orderId,
  body: 'العميل يفضّل التوصيل بعد المغرب',
  author: { kind: 'user', id: '0193a1f0-7c00-7000-8000-000000000002', name: 'Sara Al-Harbi' },
  created: '2026-11-15T08:00:00.000Z',
};

export const OrderNote = Type.Object(
  {
    id: Type.String(),
    order_id: Type.String(),
    body: Type.String(),
    author: Type.Object({
      kind: Type.String({ description: 'user, api_key or operator' }),
      id: Type.String(),
      name: Type.String({ description: 'As it was when the note was written' }),
    }),
    created: Type.String(),
  },
  { title: 'OrderNote', description: 'A note that the team wrote about an order', examples: [example] },
);
export type OrderNoteShape = Static<typeof OrderNote>;

export const OrderNoteList = listEnvelopeOf(OrderNote);
export const OrderNoteAdded = mutationEnvelopeOf(OrderNote);

export const NewOrderNote = Type.Object(
  {
    body: Type.String({
      pattern: '\\S',
      description: `1 to ${MAX_NOTE_CHARACTERS} characters without the spaces around it`,
    }),
  },
  { title: 'NewOrderNote', examples: [{ body: example.body }] },
);

const OrderParam = { id: Type.String({ description: "The order's id", examples: [orderId] }) };
export const NotesParams = Type.Object(OrderParam);
export const NoteParams = Type.Object({
  ...OrderParam,
  noteId: Type.String({ description: "The note's id", examples: [exampleNoteId] }),
});
export const NotesQuery = Type.Object(PageQuery);
