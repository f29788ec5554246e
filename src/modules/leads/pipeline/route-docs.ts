import { Type } from 'typebox';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { MAX_NOTES, tooManyNotes } from './add-note.ts';
import { leadNotFound, notAnOperator } from './change-lead.ts';
import * as shapes from './schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const LeadParams = Type.Object({
  id: Type.String({ description: "The lead's id", examples: [shapes.EXAMPLE_LEAD_ID] }),
});
const unknownLead = leadNotFound(shapes.EXAMPLE_LEAD_ID);

export const listPipelineLeadsDoc = {
  tags,
  operationId: 'listPipelineLeads',
  summary: 'List leads with status and assignee',
  description: 'Newest first. `GET /leads` lists the forms alone.',
  querystring: shapes.PipelineQuery,
  response: { 200: shapes.PipelineLeadList, ...refusals },
};

export const changeLeadDoc = {
  tags,
  operationId: 'changeLead',
  summary: 'Change status or assignee of a lead',
  description: 'Absent fields stay as they are. Any status may follow any other: a lost lead may come back.',
  refuses: [unknownLead, notAnOperator()],
  params: LeadParams,
  body: shapes.LeadChangeBody,
  response: { 200: shapes.PipelineLead, ...refusals },
};

export const listLeadNotesDoc = {
  tags,
  operationId: 'listLeadNotes',
  summary: 'List notes on a lead',
  description: 'Newest first.',
  refuses: [unknownLead],
  params: LeadParams,
  querystring: shapes.NotesQuery,
  response: { 200: shapes.LeadNoteList, ...refusals },
};

export const addLeadNoteDoc = {
  tags,
  operationId: 'addLeadNote',
  summary: 'Add a note to a lead',
  description: `At most ${MAX_NOTES} notes for each lead. Notes are neither changed nor deleted.`,
  takes: ['idempotency-key'] as const,
  refuses: [unknownLead, tooManyNotes()],
  params: LeadParams,
  body: shapes.NewLeadNote,
  response: { 201: shapes.LeadNote, ...refusals },
};
