import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { declaredFieldsOf } from '../../../platform/http/declared-fields.ts';
import { mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { etagOf, preconditionFailed, versionCheck } from '../../../platform/http/preconditions.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant } from '../gate/access.ts';
import type { Identity } from '../identity.ts';
import { tenantOf } from '../principal.ts';
import type { OrganizationRow } from '../sql/organizations.ts';
import { Organization, OrganizationBody, OrganizationSaved, organizationExample } from './team-schema.ts';
import {
  getOrganization,
  ownSecondFactorMissing,
  readOrganizationChange,
  updateOrganization,
} from './update-organization.ts';

const tags = ['Team'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const changeOf = declaredFieldsOf(OrganizationBody);

export function organizationRoutes(app: App, { sql, clock }: Platform, { cache }: Identity): void {
  app.get(
    '/organization',
    {
      config: { access: tenant('read', 'Settings') },
      schema: {
        tags,
        operationId: 'getOrganization',
        summary: 'What the organization says of itself',
        description:
          'Also for accounts that are confined to a branch: currency, time zone and VAT number are theirs too.',
        answersEtag: true,
        response: { 200: Organization, ...refusals },
      },
    },
    async (request, reply) => {
      const row = await getOrganization(sql, tenantOf(request).organizationId);
      reply.header('etag', etagOf(row.updated));
      return organizationShape(row);
    },
  );

  app.patch(
    '/organization',
    {
      config: { access: tenant('update', 'Settings', { branchConfined: 'refused' }) },
      schema: {
        tags,
        operationId: 'updateOrganization',
        summary: 'Change what the organization says of itself',
        description:
          'Another time zone counts from now on; days that are already in the reports stay as they were. `require_totp` is ' +
          'refused (409) while the account that asks has no second factor: it would shut itself out.',
        takes: ['if-match'],
        answersEtag: true,
        refuses: [ownSecondFactorMissing(), preconditionFailed(organizationExample)],
        body: OrganizationBody,
        response: { 200: OrganizationSaved, ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, actor } = tenantOf(request);
      const checkVersion = versionCheck(request.headers['if-match'], organizationShape);
      const change = await readOrganizationChange(sql, changeOf(request.body), clock.now());
      const row = await inTransaction(sql, (tx) =>
        updateOrganization(tx, organizationId, actor, { change, checkVersion }, clock.now()),
      );
      cache.forget([organizationId]);
      reply.header('etag', etagOf(row.updated));
      return mutationEnvelope(clock, 'Organization updated', organizationShape(row));
    },
  );
}

function organizationShape(row: OrganizationRow) {
  return { ...row, created: row.created.toISOString(), updated: row.updated.toISOString() };
}
