import type { App } from '../../../platform/http/app.ts';
import { listEnvelope } from '../../../platform/http/envelopes.ts';
import { readPaging } from '../../../platform/http/paging.ts';
import type { Platform } from '../../../platform/platform.ts';
import { actorOf, commercial, type FleetOrganization, inviteUrl, linkBaseOf, userScope } from '../../identity/index.ts';
import { listLedger, type ReadBilling } from '../billing/index.ts';
import {
  describeOrganizations,
  getFleetOrganization,
  organizationNotFound,
  organizationShape,
} from './fleet-organization.ts';
import { listOrganizations } from './list-organizations.ts';
import { ledgerShape } from './money-shapes.ts';
import { openOrganization } from './open-organization.ts';
import * as docs from './organization-route-docs.ts';
import { MAX_USAGE_DAYS, readUsage } from './read-usage.ts';
import { resumeOrganization, suspendOrganization } from './suspend-organization.ts';

export type OrganizationOptions = {
  publicUrl: string | undefined;
  readBilling: ReadBilling;
  /** Drops the cached organization, so that a suspension takes effect with the next request on this node. */
  forgetOrganization(id: string): void;
};

export function organizationRoutes(app: App, platform: Platform, options: OrganizationOptions): void {
  const { sql, clock, log, idempotentWrite } = platform;
  const { publicUrl, readBilling, forgetOrganization } = options;
  const describe = (rows: FleetOrganization[]) => describeOrganizations(sql, readBilling, rows);
  const getDescribed = async (id: string) => {
    const [described] = await describe([await getFleetOrganization(sql, id)]);
    if (described === undefined) throw organizationNotFound(id);
    return described;
  };

  app.get(
    '/commercial/organizations',
    { config: { access: commercial }, schema: docs.listFleetOrganizationsDoc },
    async (request) => {
      const paging = readPaging(request.query);
      const { rows, total } = await listOrganizations(sql, request.query, paging);
      return listEnvelope((await describe(rows)).map(organizationShape), total, paging);
    },
  );

  app.post(
    '/commercial/organizations',
    { config: { access: commercial }, schema: docs.openOrganizationDoc },
    (request, reply) => {
      const { name_en: nameEn, name_ar: nameAr, owner_email: ownerEmail, plan } = request.body;
      const base = linkBaseOf(request, publicUrl);
      const actor = actorOf(request);
      return idempotentWrite(request, reply, userScope(request), async (tx) => {
        const opened = await openOrganization(tx, actor, { nameEn, nameAr, ownerEmail, plan }, clock.now());
        const billing = { plan, periodEnd: null, outstandingSar: 0, overdueSar: 0, balanceSar: 0 };
        const body = {
          ...organizationShape({ ...opened.row, branches: 0, members: 0, billing }),
          owner_email: ownerEmail,
          invite_url: inviteUrl(base, opened.token),
          resets_account: opened.reset.resetsAccount,
          affected_organizations: opened.reset.affectedOrganizations,
        };
        return { status: 201, body };
      });
    },
  );

  app.get(
    '/commercial/organizations/:id/ledger',
    { config: { access: commercial }, schema: docs.listOrganizationLedgerDoc },
    async (request) => {
      const { id } = await getFleetOrganization(sql, request.params.id);
      const paging = readPaging(request.query);
      const { rows, total } = await listLedger(sql, id, paging);
      return listEnvelope(rows.map(ledgerShape), total, paging);
    },
  );

  app.get(
    '/commercial/organizations/:id/usage',
    { config: { access: commercial }, schema: docs.readOrganizationUsageDoc },
    ({ params, query }) => readUsage(sql, params.id, query.days ?? MAX_USAGE_DAYS, clock.now()),
  );

  app.post(
    '/commercial/organizations/:id/suspend',
    { config: { access: commercial }, schema: docs.suspendOrganizationDoc },
    async (request, reply) => {
      const before = await getDescribed(request.params.id);
      const actor = actorOf(request);
      const sent = await idempotentWrite(request, reply, userScope(request), async (tx) => {
        const row = await suspendOrganization(tx, actor, before.id, request.body.reason, clock.now());
        return { status: 200, body: organizationShape({ ...before, ...row }) };
      });
      forgetOrganization(before.id);
      return sent;
    },
  );

  app.post(
    '/commercial/organizations/:id/resume',
    { config: { access: commercial }, schema: docs.resumeOrganizationDoc },
    async (request, reply) => {
      const before = await getDescribed(request.params.id);
      const actor = actorOf(request);
      const sent = await idempotentWrite(request, reply, userScope(request), async (tx) => {
        const { reason } = request.body;
        const row = await resumeOrganization(tx, actor, before.id, reason, clock.now());
        // The reason of a suspension is stored with it; the reason of its end is only logged.
        log.info({ organizationId: before.id, by: actor.name, reason }, 'an organization was resumed by hand');
        return { status: 200, body: organizationShape({ ...before, ...row }) };
      });
      forgetOrganization(before.id);
      return sent;
    },
  );
}
