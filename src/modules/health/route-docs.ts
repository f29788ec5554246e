import { ProblemSchema } from '../../platform/http/envelopes.ts';
import { Problem } from '../../platform/http/problem.ts';
import * as shapes from './schema.ts';

const tags = ['Health'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export const pingDoc = {
  tags,
  operationId: 'ping',
  summary: 'Is the service there',
  description: 'Answers for as long as the process takes requests, without asking the database.',
  response: { 200: shapes.Ping },
};

export const healthDoc = {
  tags,
  operationId: 'health',
  summary: 'Can the service do its work; 503 when it cannot',
  description:
    'Asks the database. degraded (200): it answers, but slowly, or something that follows the events is behind. Asked at most twice a second, whoever asks.',
  refuses: [new Problem(503, 'Service unhealthy', { status: 'unhealthy', reason: 'The database cannot be reached' })],
  response: { 200: shapes.Health, ...refusals },
};

export const systemHealthDoc = {
  tags,
  operationId: 'systemHealth',
  summary: 'Health in detail',
  description:
    'The parts of the service with their counts. Any valid token will do, that of a suspended organization too.',
  refuses: [new Problem(503, 'Service unhealthy', { status: 'unhealthy', reason: 'The database cannot be reached' })],
  response: { 200: shapes.SystemHealth, ...refusals },
};

export const telemetryDoc = {
  tags,
  operationId: 'telemetry',
  summary: 'How the process runs: memory, event loop, requests by route, database, jobs',
  description:
    'Figures of this process since it started. Any valid token will do; poll it no more often than every ten seconds.',
  response: { 200: shapes.Telemetry, ...refusals },
};
