import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { listEnvelope } from '../../../platform/http/envelopes.ts';
import { readPaging } from '../../../platform/http/paging.ts';
import type { Platform } from '../../../platform/platform.ts';
import { actorOf, commercial, readOperators, userScope } from '../../identity/index.ts';
import { addNote } from './add-note.ts';
import { changeLead, getLead } from './change-lead.ts';
import { listLeads } from './list-leads.ts';
import * as docs from './route-docs.ts';
import { noteShape, pipelineShape } from './schema.ts';
import { listNoteRows, type PipelineRow } from './sql.ts';

/** What operators make of the leads; the intake is in `../routes.ts`. */
export function pipelineRoutes(app: App, { sql, clock, idempotentWrite }: Platform): void {
  const describe = async (rows: PipelineRow[]) => {
    const ids = rows.flatMap(({ assignee_id }) => (assignee_id === null ? [] : [assignee_id]));
    const operators = await readOperators(sql, [...new Set(ids)]);
    return rows.map((row) => pipelineShape(row, operators));
  };

  app.get(
    '/commercial/leads',
    { config: { access: commercial }, schema: docs.listPipelineLeadsDoc },
    async (request) => {
      const { status, assignee, search = '' } = request.query;
      const paging = readPaging(request.query);
      const { rows, total } = await listLeads(sql, { status, assigneeId: assignee }, search, paging);
      return listEnvelope(await describe(rows), total, paging);
    },
  );

  app.patch(
    '/commercial/leads/:id',
    { config: { access: commercial }, schema: docs.changeLeadDoc },
    async (request) => {
      const { params, body } = request;
      const actor = actorOf(request);
      const row = await inTransaction(sql, (tx) => changeLead(tx, params.id, body, actor, clock.now()));
      const [shown] = await describe([row]);
      return shown;
    },
  );

  app.get(
    '/commercial/leads/:id/notes',
    { config: { access: commercial }, schema: docs.listLeadNotesDoc },
    async (request) => {
      const lead = await getLead(sql, request.params.id);
      const paging = readPaging(request.query);
      const rows = await listNoteRows(sql, lead.id, paging);
      return listEnvelope(rows.map(noteShape), lead.notes_count, paging);
    },
  );

  app.post(
    '/commercial/leads/:id/notes',
    { config: { access: commercial }, schema: docs.addLeadNoteDoc },
    (request, reply) =>
      idempotentWrite(request, reply, userScope(request), async (tx) => {
        const { params, body } = request;
        const note = await addNote(tx, params.id, body.body, actorOf(request), clock.now());
        return { status: 201, body: noteShape(note) };
      }),
  );
}
