import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { Problem } from '../../platform/http/problem.ts';
import * as shapes from './schema.ts';

const tags = ['Health'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const pingDoc = {
  tags,
  operationId: 'ping',
  summary: 'Check that the process answers',
  description: 'Answers for as long as the process takes requests, without asking the database.',
  response: { 200: shapes.Ping },
};

export const healthDoc = {
  tags,
  operationId: 'health',
  summary: 'Check the health of the service',
  description:
    'Queries the database, at most twice a second. `degraded` (200): the database is slow, or a follower of events lags or has dead-lettered events.',
  refuses: [new Problem(503, 'Service unhealthy', { status: 'unhealthy', reason: 'The database cannot be reached' })],
  response: { 200: shapes.Health, ...refusals },
};

export const systemHealthDoc = {
  tags,
  operationId: 'systemHealth',
  summary: 'Health in detail',
  description: 'Counts of apps, jobs and staging. Accepts any valid token, also of a suspended organization.',
  refuses: [new Problem(503, 'Service unhealthy', { status: 'unhealthy', reason: 'The database cannot be reached' })],
  response: { 200: shapes.SystemHealth, ...refusals },
};

export const telemetryDoc = {
  tags,
  operationId: 'telemetry',
  summary: 'Read figures of the process: memory, event loop, requests by route, database, jobs',
  description: 'Figures since the process started. Accepts any valid token. Poll at most every ten seconds.',
  response: { 200: shapes.Telemetry, ...refusals },
};
