import type { App } from '../../../platform/http/app.ts';
import { listEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
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
import { exampleOrganizationId } from './money-schema.ts';
import { ledgerShape } from './money-shapes.ts';
import { openOrganization } from './open-organization.ts';
import * as shapes from './organizations-schema.ts';
import { alreadySuspended, notSuspended, resumeOrganization, suspendOrganization } from './suspend-organization.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export type OrganizationOptions = {
  publicUrl: string | undefined;
  readBilling: ReadBilling;
  /** So that a suspension counts from the next request on, on this node at least. */
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
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listFleetOrganizations',
        summary: 'Organizations with what they have and owe, newest first',
        description: 'A search finds parts of either name, whatever the spelling of alef, hamza and the like.',
        querystring: shapes.OrganizationsQuery,
        response: { 200: shapes.FleetOrganizationList, ...refusals },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const { rows, total } = await listOrganizations(sql, request.query, paging);
      return listEnvelope((await describe(rows)).map(organizationShape), total, paging);
    },
  );

  app.post(
    '/commercial/organizations',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'openOrganization',
        summary: 'Open an organization and invite its owner; the link is shown once',
        description:
          'No e-mail is sent: hand over `invite_url`, which works once and for 7 days, to the person whose address it is. An ' +
          'address that has an account joins with its password; one of the operator is refused. `resets_account`: the ' +
          'account was made by the link of a merchant and never verified; accepting sets a new password, ends all that ' +
          'was signed in, and turns its memberships in `affected_organizations` into pending invitations. The month in ' +
          'which the organization begins is free.',
        takes: ['idempotency-key'],
        body: shapes.NewOrganizationBody,
        response: { 201: shapes.NewOrganizationAnswer, ...refusals },
      },
    },
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
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listOrganizationLedger',
        summary: 'Every movement of its wallet, newest first',
        description: 'Entries are never changed: what was wrong is put right by another one.',
        refuses: [organizationNotFound(exampleOrganizationId)],
        params: shapes.OrganizationParams,
        querystring: shapes.LedgerQuery,
        response: { 200: shapes.LedgerList, ...refusals },
      },
    },
    async (request) => {
      const { id } = await getFleetOrganization(sql, request.params.id);
      const paging = readPaging(request.query);
      const { rows, total } = await listLedger(sql, id, paging);
      return listEnvelope(rows.map(ledgerShape), total, paging);
    },
  );

  app.post(
    '/commercial/organizations/:id/suspend',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'suspendOrganization',
        summary: 'Answer 402 to all that an organization asks',
        description:
          'Until it is resumed by hand: no payment ends it. One that is suspended for unpaid fees can be suspended by hand ' +
          'as well; a second time is 409.',
        takes: ['idempotency-key'],
        refuses: [organizationNotFound(exampleOrganizationId), alreadySuspended(exampleOrganizationId)],
        params: shapes.OrganizationParams,
        body: shapes.SuspensionBody,
        response: { 200: shapes.FleetOrganization, ...refusals },
      },
    },
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
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'resumeOrganization',
        summary: 'End the suspension of an organization',
        description:
          'Whoever suspended it. Where fees are still unpaid after 30 days, the next run of the billing suspends it again.',
        takes: ['idempotency-key'],
        refuses: [organizationNotFound(exampleOrganizationId), notSuspended(exampleOrganizationId)],
        params: shapes.OrganizationParams,
        body: shapes.ResumptionBody,
        response: { 200: shapes.FleetOrganization, ...refusals },
      },
    },
    async (request, reply) => {
      const before = await getDescribed(request.params.id);
      const actor = actorOf(request);
      const sent = await idempotentWrite(request, reply, userScope(request), async (tx) => {
        const { reason } = request.body;
        const row = await resumeOrganization(tx, actor, before.id, reason, clock.now());
        // A suspension keeps its reason for as long as it lasts; that of its end stands here.
        log.info({ organizationId: before.id, by: actor.name, reason }, 'an organization was resumed by hand');
        return { status: 200, body: organizationShape({ ...before, ...row }) };
      });
      forgetOrganization(before.id);
      return sent;
    },
  );
}
