import { Type } from 'typebox';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { conflict, unprocessable } from '../../../platform/http/problem.ts';
import { EXAMPLE_INSTALL_ID } from '../../apps/index.ts';
import { alreadyAssigned, appNotFound, assignmentNotFound } from './assign-service.ts';
import { codeTaken, MAX_SERVICES, serviceNotFound } from './save-service.ts';
import * as shapes from './schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
export const LIST_CAP = 500;
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
  summary: 'The catalog of services, newest first',
  description: `All of them, with their assets; there are at most ${MAX_SERVICES}.`,
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
  summary: 'Change a service: what is absent stays',
  description:
    'A new price is for assignments to come; those that are there keep theirs. One that is no longer active cannot be assigned, and goes on where it is.',
  refuses: [unknownService, codeTaken('SENSY-PRO')],
  params: ServiceParams,
  body: shapes.ServiceChange,
  response: { 200: shapes.Service, ...refusals },
};

export const assignBillableServiceDoc = {
  tags,
  operationId: 'assignBillableService',
  summary: 'Have an install pay for a service',
  description:
    'One service an install: another is a change of the assignment. An app that is removed is no longer charged.',
  takes: ['idempotency-key'] as const,
  refuses: [appNotFound(EXAMPLE_INSTALL_ID), unknownService, alreadyAssigned(EXAMPLE_INSTALL_ID), inactive],
  body: shapes.NewAssignment,
  response: { 201: shapes.Assignment, ...refusals },
};

export const listServiceAssignmentsDoc = {
  tags,
  operationId: 'listServiceAssignments',
  summary: 'What installs pay for, newest first',
  description: `At most ${LIST_CAP}; \`total_items\` says how many there are, and the filters narrow them down.`,
  querystring: shapes.AssignmentQuery,
  response: { 200: shapes.AssignmentList, ...refusals },
};

export const changeServiceAssignmentDoc = {
  tags,
  operationId: 'changeServiceAssignment',
  summary: 'Change what an install pays for',
  description: 'Price, quantity, status, start or the service itself. Fees that were charged stay as they are.',
  refuses: [unassigned, unknownService, inactive],
  params: InstallParams,
  body: shapes.AssignmentChange,
  response: { 200: shapes.Assignment, ...refusals },
};

export const unassignBillableServiceDoc = {
  tags,
  operationId: 'unassignBillableService',
  summary: 'End what an install pays for',
  description: 'Answers with what it was. Fees that were charged stay.',
  refuses: [unassigned],
  params: InstallParams,
  response: { 200: shapes.Assignment, ...refusals },
};
