import { Type } from 'typebox';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { preconditionFailed } from '../../../platform/http/preconditions.ts';
import { conflict, unprocessable } from '../../../platform/http/problem.ts';
import { EXAMPLE_INSTALL_ID } from '../../apps/index.ts';
import { alreadyAssigned, appNotFound, assignmentNotFound } from './assign-service.ts';
import { codeTaken, MAX_SERVICES, serviceNotFound } from './save-service.ts';
import * as shapes from './schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const ServiceParams = Type.Object({
  id: Type.String({ description: "The service's id", examples: [shapes.EXAMPLE_SERVICE_ID] }),
});
const InstallParams = Type.Object({
  orgAppId: Type.String({ description: "The install's id", examples: [EXAMPLE_INSTALL_ID] }),
});
const inactive = unprocessable({ service_id: 'is a service that is not active' });
const unassigned = assignmentNotFound(EXAMPLE_INSTALL_ID);
const unknownService = serviceNotFound(shapes.EXAMPLE_SERVICE_ID);

export const listBillableServicesDoc = {
  tags,
  operationId: 'listBillableServices',
  summary: 'List the catalog of services',
  description: `Newest first, without pages, with their assets. There are at most ${MAX_SERVICES}.`,
  response: { 200: shapes.ServiceList, ...refusals },
};

export const createBillableServiceDoc = {
  tags,
  operationId: 'createBillableService',
  summary: 'Add a service to the catalog',
  description: 'Charged monthly with 15 % VAT by default. It is charged only where it is assigned.',
  takes: ['idempotency-key'] as const,
  refuses: [codeTaken('SENSY-PRO'), conflict('Too many services', { limit: MAX_SERVICES })],
  body: shapes.NewService,
  response: { 201: shapes.Service, ...refusals },
};

export const changeBillableServiceDoc = {
  tags,
  operationId: 'changeBillableService',
  summary: 'Change a service',
  description:
    'Absent fields stay as they are. A new price applies to new assignments; existing ones keep theirs. An inactive service cannot be assigned and stays in force where it is.',
  takes: ['if-match'] as const,
  answersEtag: true,
  refuses: [unknownService, codeTaken('SENSY-PRO'), preconditionFailed(shapes.SERVICE_EXAMPLE)],
  params: ServiceParams,
  body: shapes.ServiceChange,
  response: { 200: shapes.Service, ...refusals },
};

export const assignBillableServiceDoc = {
  tags,
  operationId: 'assignBillableService',
  summary: 'Assign a service to an install',
  description:
    'An install has one service at most; change the assignment to use another one. A removed app is no longer charged.',
  takes: ['idempotency-key'] as const,
  refuses: [appNotFound(EXAMPLE_INSTALL_ID), unknownService, alreadyAssigned(EXAMPLE_INSTALL_ID), inactive],
  body: shapes.NewAssignment,
  response: { 201: shapes.Assignment, ...refusals },
};

export const listServiceAssignmentsDoc = {
  tags,
  operationId: 'listServiceAssignments',
  summary: 'List service assignments',
  description: `Newest first, at most ${shapes.MAX_LIST_ITEMS}. \`total_items\` is the number of all matches; use the filters to narrow them down.`,
  querystring: shapes.AssignmentQuery,
  response: { 200: shapes.AssignmentList, ...refusals },
};

export const changeServiceAssignmentDoc = {
  tags,
  operationId: 'changeServiceAssignment',
  summary: 'Change a service assignment',
  description: 'Price, quantity, status, start or the service itself. Charged fees do not change.',
  refuses: [unassigned, unknownService, inactive],
  params: InstallParams,
  body: shapes.AssignmentChange,
  response: { 200: shapes.Assignment, ...refusals },
};

export const unassignBillableServiceDoc = {
  tags,
  operationId: 'unassignBillableService',
  summary: 'End a service assignment',
  description: 'The response is the removed assignment. Charged fees do not change.',
  refuses: [unassigned],
  params: InstallParams,
  response: { 200: shapes.Assignment, ...refusals },
};
