export { leadRoutes } from './routes.ts';
export { takeLead } from './take-lead.ts';
