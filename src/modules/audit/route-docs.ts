import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { AuditList, auditQuery } from './schema.ts';

export const listAuditDoc = (resources: readonly string[]) => ({
  tags: ['Audit'],
  operationId: 'listAudit',
  summary: 'List the audit log',
  description:
    'Newest first. Every change of settings, team, tokens, apps, webhooks, catalog and money is recorded in the transaction ' +
    'of the change and retained for 400 days, with the names of changed fields and never their values. Orders have a ' +
    'timeline of their own.',
  querystring: auditQuery(resources),
  response: { 200: AuditList, '4xx': ProblemSchema, '5xx': ProblemSchema },
});
