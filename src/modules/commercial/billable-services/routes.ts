import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { conflict, unprocessable } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { EXAMPLE_INSTALL_ID } from '../../apps/index.ts';
import { installForms } from '../../files/index.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import { assetRoutes } from './asset-routes.ts';
import {
  alreadyAssigned,
  appNotFound,
  assignmentNotFound,
  assignService,
  changeAssignment,
  unassignService,
} from './assign-service.ts';
import { changeService, codeTaken, createService, MAX_SERVICES, serviceNotFound } from './save-service.ts';
import * as shapes from './schema.ts';
import { countAssignments, listAssignmentRows } from './sql/assignments.ts';
import { countServices, listAssets, listServiceRows } from './sql/services.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const LIST_CAP = 500;
const ServiceParams = Type.Object({
  id: Type.String({ description: "The service's id", examples: [shapes.EXAMPLE_SERVICE_ID] }),
});
const InstallParams = Type.Object({
  orgAppId: Type.String({ description: "The install's id", examples: [EXAMPLE_INSTALL_ID] }),
});
const inactive = unprocessable({ service_id: 'is a service that is not active' });
const unassigned = assignmentNotFound(EXAMPLE_INSTALL_ID);
const unknownService = serviceNotFound(shapes.EXAMPLE_SERVICE_ID);

export function serviceRoutes(app: App, platform: Platform): void {
  const { sql, clock, idempotentWrite } = platform;
  app.register(async (scope: App) => {
    await installForms(scope);
    assetRoutes(scope, platform);
  });

  app.get(
    '/commercial/billable-services',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listBillableServices',
        summary: 'The catalog of services, newest first',
        description: `All of them, with their assets; there are at most ${MAX_SERVICES}.`,
        response: { 200: shapes.ServiceList, ...refusals },
      },
    },
    async () => {
      const services = await listServiceRows(sql, LIST_CAP);
      const assets = await listAssets(
        sql,
        services.map(({ id }) => id),
      );
      const byService = Map.groupBy(assets, (asset) => asset.service_id);
      return {
        items: services.map((service) => shapes.serviceShape(service, byService.get(service.id) ?? [])),
        total_items: services.length < LIST_CAP ? services.length : await countServices(sql),
      };
    },
  );

  app.post(
    '/commercial/billable-services',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'createBillableService',
        summary: 'Add a service to the catalog',
        description: 'Charged monthly with 15 % VAT unless told otherwise. Nobody pays for it before it is assigned.',
        takes: ['idempotency-key'],
        refuses: [codeTaken('SENSY-PRO'), conflict('Too many services', { limit: MAX_SERVICES })],
        body: shapes.NewService,
        response: { 201: shapes.Service, ...refusals },
      },
    },
    (request, reply) =>
      idempotentWrite(request, reply, userScope(request), async (tx) => {
        const service = await createService(tx, request.body, actorOf(request), clock.now());
        return { status: 201, body: shapes.serviceShape(service, []) };
      }),
  );

  app.patch(
    '/commercial/billable-services/:id',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'changeBillableService',
        summary: 'Change a service: what is absent stays',
        description:
          'A new price is for assignments to come; those that are there keep theirs. One that is no longer active cannot be assigned, and goes on where it is.',
        refuses: [unknownService, codeTaken('SENSY-PRO')],
        params: ServiceParams,
        body: shapes.ServiceChange,
        response: { 200: shapes.Service, ...refusals },
      },
    },
    (request) =>
      inTransaction(sql, async (tx) => {
        const service = await changeService(tx, request.params.id, request.body, actorOf(request), clock.now());
        return shapes.serviceShape(service, await listAssets(tx, [service.id]));
      }),
  );

  app.post(
    '/commercial/billable-services/assign',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'assignBillableService',
        summary: 'Have an install pay for a service',
        description:
          'One service an install: another is a change of the assignment. An app that is removed is no longer charged.',
        takes: ['idempotency-key'],
        refuses: [appNotFound(EXAMPLE_INSTALL_ID), unknownService, alreadyAssigned(EXAMPLE_INSTALL_ID), inactive],
        body: shapes.NewAssignment,
        response: { 201: shapes.Assignment, ...refusals },
      },
    },
    (request, reply) =>
      idempotentWrite(request, reply, userScope(request), async (tx) => {
        const row = await assignService(tx, request.body, actorOf(request), clock.now());
        return { status: 201, body: shapes.assignmentShape(row) };
      }),
  );

  app.get(
    '/commercial/billable-services/assignments',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listServiceAssignments',
        summary: 'What installs pay for, newest first',
        description: `At most ${LIST_CAP}; \`total_items\` says how many there are, and the filters narrow them down.`,
        querystring: shapes.AssignmentQuery,
        response: { 200: shapes.AssignmentList, ...refusals },
      },
    },
    async (request) => {
      const { organization_id: organizationId, service_id: serviceId } = request.query;
      const filter = { organizationId, serviceId };
      const rows = await listAssignmentRows(sql, filter, LIST_CAP);
      const total = rows.length < LIST_CAP ? rows.length : await countAssignments(sql, filter);
      return { items: rows.map(shapes.assignmentShape), total_items: total };
    },
  );

  app.patch(
    '/commercial/billable-services/assignments/:orgAppId',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'changeServiceAssignment',
        summary: 'Change what an install pays for',
        description: 'Price, quantity, status, start or the service itself. Fees that were charged stay as they are.',
        refuses: [unassigned, unknownService, inactive],
        params: InstallParams,
        body: shapes.AssignmentChange,
        response: { 200: shapes.Assignment, ...refusals },
      },
    },
    async (request) => {
      const { params, body } = request;
      const actor = actorOf(request);
      const row = await inTransaction(sql, (tx) => changeAssignment(tx, params.orgAppId, body, actor, clock.now()));
      return shapes.assignmentShape(row);
    },
  );

  app.delete(
    '/commercial/billable-services/assignments/:orgAppId',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'unassignBillableService',
        summary: 'End what an install pays for',
        description: 'Answers with what it was. Fees that were charged stay.',
        refuses: [unassigned],
        params: InstallParams,
        response: { 200: shapes.Assignment, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const row = await inTransaction(sql, (tx) => unassignService(tx, request.params.orgAppId, actor, clock.now()));
      return shapes.assignmentShape(row);
    },
  );
}
