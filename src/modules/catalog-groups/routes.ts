import { Type } from 'typebox';
import { inTransaction } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import { readPaging, readSort } from '../../platform/http/paging.ts';
import { etagOf, preconditionFailed, versionCheck } from '../../platform/http/preconditions.ts';
import { conflict, unprocessable } from '../../platform/http/problem.ts';
import { isId, newId } from '../../platform/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { foldForSearch } from '../../platform/text/folding.ts';
import { recordAudit } from '../audit/index.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { deleteGroup, groupNotFound } from './delete-group.ts';
import { enforceGroupLimit, MAX_GROUPS } from './enforce-group-limit.ts';
import { type GroupKind, groupShape } from './group.ts';
import { replaceGroup } from './replace-group.ts';
import { GroupParams, GroupQuery, groupShapes } from './schema.ts';
import { findGroup, insertGroup, listGroups, SORT_COLUMNS } from './sql.ts';

const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const wholeOrganization = { branchConfined: 'refused' } as const;

export function groupRoutes(app: App, platform: Platform, kind: GroupKind): void {
  const { sql, clock, idempotentWrite } = platform;
  const { noun, nouns } = kind;
  const path = `/${kind.table}`;
  const tags = [nouns];
  const shapes = groupShapes(kind);

  app.get(
    path,
    {
      config: { access: tenant('read', 'Products') },
      schema: {
        tags,
        operationId: `list${nouns}`,
        summary: `${nouns}, newest first unless sorted otherwise`,
        description: 'With exact totals. An account confined to one branch sees them too.',
        querystring: GroupQuery,
        response: { 200: shapes.GroupList, ...refusals },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const sort = readSort(request.query.sort, SORT_COLUMNS, { column: 'created', descending: true });
      const query = { search: foldForSearch(request.query.search ?? ''), sort, paging };
      const { groups, total } = await listGroups(sql, kind, tenantOf(request).organizationId, query);
      return listEnvelope(groups.map(groupShape), total, paging);
    },
  );

  app.post(
    path,
    {
      config: { access: tenant('create', 'Products', wholeOrganization) },
      schema: {
        tags,
        operationId: `create${noun}`,
        summary: `Create a ${noun.toLowerCase()}`,
        description: `A name in at least one language. At most ${MAX_GROUPS} an organization.`,
        takes: ['idempotency-key'],
        refuses: [
          unprocessable({ name_en: 'is required unless name_ar is given' }),
          conflict(`Too many ${nouns.toLowerCase()}`, { limit: MAX_GROUPS }),
        ],
        body: shapes.GroupBody,
        response: { 201: shapes.GroupSaved, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      const names = readNames(request.body);
      return idempotentWrite(request, reply, scope, async (tx) => {
        const now = clock.now();
        const group = { id: newId(), ...names, created: now, updated: now };
        await enforceGroupLimit(tx, kind, organizationId);
        await insertGroup(tx, kind, organizationId, group);
        const entry = { action: 'create', resource: 'Products', resourceId: group.id };
        await recordAudit(tx, organizationId, actor, [entry], now);
        return { status: 201, body: mutationEnvelope(clock, `${noun} created`, groupShape(group)) };
      });
    },
  );

  app.get(
    `${path}/:id`,
    {
      config: { access: tenant('read', 'Products') },
      schema: {
        tags,
        operationId: `get${noun}`,
        summary: `One ${noun.toLowerCase()}`,
        description: 'By its id.',
        refuses: [groupNotFound(kind, '0193a1f0-7c00-7000-8000-00000000000b')],
        answersEtag: true,
        params: GroupParams,
        response: { 200: shapes.Group, ...refusals },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const group = isId(id) ? await findGroup(sql, kind, tenantOf(request).organizationId, id) : undefined;
      if (group === undefined) throw groupNotFound(kind, id);
      reply.header('etag', etagOf(group.updated));
      return groupShape(group);
    },
  );

  app.put(
    `${path}/:id`,
    {
      config: { access: tenant('update', 'Products', wholeOrganization) },
      schema: {
        tags,
        operationId: `replace${noun}`,
        summary: `Replace the names of a ${noun.toLowerCase()}; one that is absent becomes empty`,
        description: 'One of the names has to be left. Products that name it need no change.',
        refuses: [
          unprocessable({ name_en: 'is required unless name_ar is given' }),
          groupNotFound(kind, '0193a1f0-7c00-7000-8000-00000000000b'),
          preconditionFailed(shapes.groupExample),
        ],
        takes: ['if-match'],
        answersEtag: true,
        params: GroupParams,
        body: shapes.GroupBody,
        response: { 200: shapes.GroupSaved, ...refusals },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const replacement = { id, ...readNames(request.body), updated: clock.now() };
      const { organizationId, actor } = tenantOf(request);
      const checkVersion = versionCheck(request.headers['if-match'], groupShape);
      const group = await inTransaction(sql, (tx) =>
        replaceGroup(tx, kind, organizationId, replacement, actor, checkVersion),
      );
      reply.header('etag', etagOf(group.updated));
      return mutationEnvelope(clock, `${noun} updated`, groupShape(group));
    },
  );

  app.delete(
    `${path}/:id`,
    {
      config: { access: tenant('delete', 'Products', wholeOrganization) },
      schema: {
        tags,
        operationId: `delete${noun}`,
        summary: `Delete a ${noun.toLowerCase()}; refused while a product uses it`,
        description: 'Take it out of its products first; deleted products do not count.',
        refuses: [
          groupNotFound(kind, '0193a1f0-7c00-7000-8000-00000000000b'),
          conflict(`${noun} is used by products`, { id: '0193a1f0-7c00-7000-8000-00000000000b', products: 12 }),
        ],
        params: GroupParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, actor } = tenantOf(request);
      const { id } = request.params;
      await inTransaction(sql, (tx) => deleteGroup(tx, kind, organizationId, id, actor, clock.now()));
      return reply.code(204).send(null);
    },
  );
}

type GivenNames = { name_en?: string | null; name_ar?: string | null };

function readNames(given: GivenNames): { name_en: string; name_ar: string } {
  const names = { name_en: given.name_en ?? '', name_ar: given.name_ar ?? '' };
  if (names.name_en.trim() === '' && names.name_ar.trim() === '') {
    throw unprocessable({ name_en: 'is required unless name_ar is given' });
  }
  return names;
}
