export { leadRoutes } from './routes.ts';
export { type LeadSettings, readLeadSettings } from './settings.ts';
export { takeLead } from './take-lead.ts';
