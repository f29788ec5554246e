import { Type } from 'typebox';
import { listEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { PageQuery } from '../../../platform/http/paging.ts';
import type { OperatorRow } from '../../identity/index.ts';
import { LEAD_EXAMPLE, LEAD_FIELDS } from '../schema.ts';
import { LEAD_STATUSES, type NoteRow, type PipelineRow } from './sql.ts';

export const EXAMPLE_LEAD_ID = LEAD_EXAMPLE.id;
const EXAMPLE_OPERATOR = { id: '0193a1f0-7c00-7000-8000-0000000000c1', name: 'Commercial team' };

const Person = Type.Object({ id: Type.String(), name: Type.String() });
const status = Type.Enum([...LEAD_STATUSES], { description: LEAD_STATUSES.join(', ') });

export const PipelineLead = Type.Object(
  {
    ...LEAD_FIELDS,
    status: Type.String({ description: LEAD_STATUSES.join(', ') }),
    assignee: Type.Union([Person, Type.Null()], { description: 'The operator who works on it; null: no one' }),
    notes_count: Type.Integer({ description: 'How many notes operators have written; `notes` is text of the form' }),
    updated: Type.String({ description: 'When status, assignee or notes changed last; the time of the form before' }),
  },
  {
    title: 'PipelineLead',
    examples: [
      {
        ...LEAD_EXAMPLE,
        status: 'contacted',
        assignee: EXAMPLE_OPERATOR,
        notes_count: 1,
        updated: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
);
export const PipelineLeadList = listEnvelopeOf(PipelineLead);

export const PipelineQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(status),
  assignee: Type.Optional(
    Type.String({
      pattern: '^(none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
      description: "An operator's id, or none for leads without assignee",
    }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Part of name, email, phone, position or ERP; spelling variants match',
    }),
  ),
});

export const LeadChangeBody = Type.Object(
  {
    status: Type.Optional(status),
    assignee_id: Type.Optional(
      Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description: 'An active operator; null: no one' }),
    ),
  },
  { title: 'LeadChange', examples: [{ status: 'contacted' }] },
);

export const LeadNote = Type.Object(
  { id: Type.String(), body: Type.String(), author: Person, created: Type.String() },
  {
    title: 'LeadNote',
    examples: [
      {
        id: '0193a1f0-7c00-7000-8000-0000000000d1',
        body: 'Runs six branches on Odoo; demo on Tuesday.',
        author: EXAMPLE_OPERATOR,
        created: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
);
export const LeadNoteList = listEnvelopeOf(LeadNote);
export const NotesQuery = Type.Object(PageQuery);
export const NewLeadNote = Type.Object(
  { body: Type.String({ pattern: '\\S', maxLength: 2000, description: 'Plain text' }) },
  { title: 'NewLeadNote', examples: [{ body: 'Runs six branches on Odoo; demo on Tuesday.' }] },
);

export function pipelineShape({ assignee_id, ...lead }: PipelineRow, operators: ReadonlyMap<string, OperatorRow>) {
  const assignee = assignee_id === null ? undefined : operators.get(assignee_id);
  return {
    ...lead,
    assignee: assignee === undefined ? null : { id: assignee.id, name: assignee.name },
    created: lead.created.toISOString(),
    updated: lead.updated.toISOString(),
  };
}

export function noteShape({ id, body, author_id, author_name, created }: NoteRow) {
  return { id, body, author: { id: author_id, name: author_name }, created: created.toISOString() };
}
