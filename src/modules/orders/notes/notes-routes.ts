import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { readPaging } from '../../../platform/http/paging.ts';
import { forbidden } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { requireGrant, tenant, tenantOf } from '../../identity/index.ts';
import { orderId } from '../examples.ts';
import { orderNotFound } from '../refusals.ts';
import { addNote, tooManyNotes } from './add-note.ts';
import { deleteNote, noteNotFound } from './delete-note.ts';
import { listNotes } from './list-notes.ts';
import { noteShape } from './note-shape.ts';
import * as shapes from './notes-schema.ts';

const tags = ['Orders'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function noteRoutes(app: App, { sql, clock, idempotentWrite }: Platform): void {
  app.get(
    '/orders/:id/notes',
    {
      config: { access: tenant('read', 'Orders') },
      schema: {
        tags,
        operationId: 'listOrderNotes',
        summary: 'The notes of an order, oldest first',
        description: 'Notes are for the team: no vendor, customer, event or webhook receives them.',
        refuses: [orderNotFound(orderId)],
        params: shapes.NotesParams,
        querystring: shapes.NotesQuery,
        response: { 200: shapes.OrderNoteList, ...refusals },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const { notes, total } = await listNotes(sql, tenantOf(request), request.params.id, paging);
      return listEnvelope(notes.map(noteShape), total, paging);
    },
  );

  app.post(
    '/orders/:id/notes',
    {
      config: { access: tenant('update', 'Orders') },
      schema: {
        tags,
        operationId: 'addOrderNote',
        summary: 'Add a note to an order',
        description: `An order has at most ${shapes.MAX_NOTES_PER_ORDER} notes. A deleted order loses its notes.`,
        takes: ['idempotency-key'],
        refuses: [orderNotFound(orderId), tooManyNotes(orderId)],
        params: shapes.NotesParams,
        body: shapes.NewOrderNote,
        response: { 201: shapes.OrderNoteAdded, ...refusals },
      },
    },
    (request, reply) => {
      const owner = tenantOf(request);
      const { actor, scope } = owner;
      return idempotentWrite(request, reply, scope, async (tx) => {
        const note = await addNote(tx, owner, request.params.id, request.body.body, actor, clock.now());
        return { status: 201, body: mutationEnvelope(clock, 'Note added', noteShape(note)) };
      });
    },
  );

  app.delete(
    '/orders/:id/notes/:noteId',
    {
      config: { access: tenant('update', 'Orders') },
      schema: {
        tags,
        operationId: 'deleteOrderNote',
        summary: 'Delete a note of an order',
        description: 'The author deletes their own notes. Notes of others need `update:Settings`.',
        refuses: [
          orderNotFound(orderId),
          noteNotFound(shapes.exampleNoteId),
          forbidden({ grant: 'update on Settings is required' }).named('missing-grant'),
        ],
        params: shapes.NoteParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const owner = tenantOf(request);
      const requireRight = () => requireGrant(request, 'update', 'Settings');
      await inTransaction(sql, (tx) => deleteNote(tx, owner, request.params, owner.actor, requireRight));
      return reply.code(204).send(null);
    },
  );
}
