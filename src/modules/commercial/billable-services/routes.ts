import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { etagOf, isMatch, preconditionFailed } from '../../../platform/http/preconditions.ts';
import type { Platform } from '../../../platform/platform.ts';
import { installForms } from '../../files/index.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import { assetRoutes } from './asset-routes.ts';
import { assignService, changeAssignment, unassignService } from './assign-service.ts';
import * as docs from './route-docs.ts';
import { changeService, createService } from './save-service.ts';
import * as shapes from './schema.ts';
import { countAssignments, listAssignmentRows } from './sql/assignments.ts';
import { countServices, listAssets, listServiceRows, type ServiceRow } from './sql/services.ts';

export function serviceRoutes(app: App, platform: Platform): void {
  const { sql, clock, idempotentWrite } = platform;
  app.register(async (scope: App) => {
    await installForms(scope);
    assetRoutes(scope, platform);
  });

  app.get(
    '/commercial/billable-services',
    { config: { access: commercial }, schema: docs.listBillableServicesDoc },
    async () => {
      const services = await listServiceRows(sql, shapes.MAX_LIST_ITEMS);
      const assets = await listAssets(
        sql,
        services.map(({ id }) => id),
      );
      const byService = Map.groupBy(assets, (asset) => asset.service_id);
      return {
        items: services.map((service) => shapes.serviceShape(service, byService.get(service.id) ?? [])),
        total_items: services.length < shapes.MAX_LIST_ITEMS ? services.length : await countServices(sql),
      };
    },
  );

  app.post(
    '/commercial/billable-services',
    { config: { access: commercial }, schema: docs.createBillableServiceDoc },
    (request, reply) =>
      idempotentWrite(request, reply, userScope(request), async (tx) => {
        const service = await createService(tx, request.body, actorOf(request), clock.now());
        return { status: 201, body: shapes.serviceShape(service, []) };
      }),
  );

  app.patch(
    '/commercial/billable-services/:id',
    { config: { access: commercial }, schema: docs.changeBillableServiceDoc },
    async (request, reply) => {
      const { params, body, headers } = request;
      const changed = await inTransaction(sql, async (tx) => {
        const checkVersion = async (before: ServiceRow) => {
          if (isMatch(headers['if-match'], before.updated)) return;
          throw preconditionFailed(shapes.serviceShape(before, await listAssets(tx, [before.id])));
        };
        const service = await changeService(tx, params.id, body, actorOf(request), clock.now(), checkVersion);
        return { service, assets: await listAssets(tx, [service.id]) };
      });
      reply.header('etag', etagOf(changed.service.updated));
      return shapes.serviceShape(changed.service, changed.assets);
    },
  );

  app.post(
    '/commercial/billable-services/assign',
    { config: { access: commercial }, schema: docs.assignBillableServiceDoc },
    (request, reply) =>
      idempotentWrite(request, reply, userScope(request), async (tx) => {
        const row = await assignService(tx, request.body, actorOf(request), clock.now());
        return { status: 201, body: shapes.assignmentShape(row) };
      }),
  );

  app.get(
    '/commercial/billable-services/assignments',
    { config: { access: commercial }, schema: docs.listServiceAssignmentsDoc },
    async (request) => {
      const { organization_id: organizationId, service_id: serviceId } = request.query;
      const filter = { organizationId, serviceId };
      const rows = await listAssignmentRows(sql, filter, shapes.MAX_LIST_ITEMS);
      const total = rows.length < shapes.MAX_LIST_ITEMS ? rows.length : await countAssignments(sql, filter);
      return { items: rows.map(shapes.assignmentShape), total_items: total };
    },
  );

  app.patch(
    '/commercial/billable-services/assignments/:orgAppId',
    { config: { access: commercial }, schema: docs.changeServiceAssignmentDoc },
    async (request) => {
      const { params, body } = request;
      const actor = actorOf(request);
      const row = await inTransaction(sql, (tx) => changeAssignment(tx, params.orgAppId, body, actor, clock.now()));
      return shapes.assignmentShape(row);
    },
  );

  app.delete(
    '/commercial/billable-services/assignments/:orgAppId',
    { config: { access: commercial }, schema: docs.unassignBillableServiceDoc },
    async (request) => {
      const actor = actorOf(request);
      const row = await inTransaction(sql, (tx) => unassignService(tx, request.params.orgAppId, actor, clock.now()));
      return shapes.assignmentShape(row);
    },
  );
}
