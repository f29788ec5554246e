export { addNote } from './pipeline/add-note.ts';
export { changeLead } from './pipeline/change-lead.ts';
export { pipelineRoutes } from './pipeline/routes.ts';
export type { LeadStatus } from './pipeline/sql.ts';
export { leadRoutes } from './routes.ts';
export { type LeadSettings, readLeadSettings } from './settings.ts';
export { readLead, takeLead } from './take-lead.ts';
