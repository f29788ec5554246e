import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { AuditList, auditQuery } from './schema.ts';

export const listAuditDoc = (resources: readonly string[]) => ({
  tags: ['Audit'],
  operationId: 'listAudit',
  summary: 'Who changed what, newest first',
  description:
    'Every change of settings, team, tokens, apps, webhooks, catalog and money, recorded together with the change ' +
    'and kept for 400 days. It names the fields that changed and never their values. Orders have a timeline of their own.',
  querystring: auditQuery(resources),
  response: { 200: AuditList, '4xx': ProblemSchema, '5xx': ProblemSchema },
});
