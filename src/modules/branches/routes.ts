import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { inTransaction, type Tx } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { listEnvelope, mutationEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import { etagOf, preconditionFailed, versionCheck } from '../../platform/http/preconditions.ts';
import { badRequest, conflict, tooLarge } from '../../platform/http/problem.ts';
import { itemFaultsOf } from '../../platform/http/unknown-names.ts';
import { compileValidator } from '../../platform/http/validation.ts';
import type { Platform } from '../../platform/platform.ts';
import { fileUrlsFor, installForms, openUpload, removeUnclaimed } from '../files/index.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { branchShaper } from './branch-shape.ts';
import { closureRoutes } from './closures/routes.ts';
import { createBranch } from './create-branch.ts';
import { branchExample } from './examples.ts';
import type { BranchImages } from './fields.ts';
import { findBranches } from './find-branches.ts';
import { readBranchChange, readBranchFields, readNewBranch, refuseInvalid, requireObject } from './read-branch.ts';
import { readBranchRequest } from './read-branch-request.ts';
import { removeBranch } from './remove-branch.ts';
import { saveBranches } from './save-branches.ts';
import * as shapes from './schema.ts';
import { type BranchKey, findBranch } from './sql/branches.ts';
import { branchNotFound, type ImageChange, updateBranch } from './update-branch.ts';

const tags = ['Branches'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const wholeOrganization = { branchConfined: 'refused' } as const;

const invalidBodyStatus = 400;

/** Bodies are described by their schemas and judged by the rules, which know both forms and say more. */
const judgedByRules = {
  validatorCompiler: (route: Parameters<typeof compileValidator>[0]) =>
    route.httpPart === 'body' ? () => true : compileValidator(route),
};

export function branchRoutes(app: App, platform: Platform): void {
  const { sql, clock, idempotentWrite } = platform;
  closureRoutes(app, platform);
  app.register(async (scope: App) => {
    await installForms(scope);
    formRoutes(scope, platform);
  });

  app.get(
    '/branches',
    {
      config: { access: tenant('read', 'Branches') },
      schema: {
        tags,
        operationId: 'listBranches',
        summary: 'Branches, newest first, or nearest first around a place',
        description:
          'near_lat and near_lon go together and put the nearest first, with distance_km. open_at keeps those that are open at that instant by their own clocks. An account confined to one branch sees that one.',
        querystring: shapes.BranchQuery,
        response: { 200: shapes.BranchList, ...refusals },
      },
    },
    async (request) => {
      const { rows, total, paging } = await findBranches(sql, tenantOf(request), request.query);
      return listEnvelope(rows.map(shaperFor(request, platform)), total, paging);
    },
  );

  app.post(
    '/branches/bulk',
    {
      bodyLimit: BODY_LIMIT_BYTES.bulk,
      ...judgedByRules,
      config: {
        access: tenant('import', 'Branches', wholeOrganization),
        invalidBodyStatus,
        bulk: { list: 'branches', key: 'iv_id', onlyChanges: ({ mode }) => mode === 'update' },
      },
      schema: {
        tags,
        operationId: 'saveBranches',
        summary: 'Create, update or upsert up to 1000 branches; each item succeeds or fails on its own',
        description:
          'The answer is 200 even when all fail: see `failed` and `errors`. An update keeps what is absent; null clears. Files are not taken here. Needs the import grant.',
        takes: ['idempotency-key'],
        refuses: [
          badRequest({ mode: 'is required: create, update or upsert' }, 'Validation failed'),
          tooLarge({ branches: `at most ${shapes.MAX_BULK_BRANCHES} in one request` }),
        ],
        body: shapes.BulkBody,
        response: { 200: shapes.BulkAnswer, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      const { mode, branches } = readBulk(request.body);
      return idempotentWrite(request, reply, scope, async (tx) => {
        const faults = itemFaultsOf(request);
        const outcome = await saveBranches(tx, organizationId, mode, branches, actor, clock.now(), faults);
        const message = `${outcome.succeeded} of ${branches.length} branches saved`;
        return { status: 200, body: mutationEnvelope(clock, message, outcome) };
      });
    },
  );

  app.get(
    '/branches/:ivId',
    {
      config: { access: tenant('read', 'Branches') },
      schema: {
        tags,
        operationId: 'getBranch',
        summary: 'One branch',
        description:
          'With its opening hours in both styles, `is_open` by its own clock, and the addresses of its images.',
        refuses: [branchNotFound('RUH-99')],
        answersEtag: true,
        params: shapes.BranchParams,
        response: { 200: shapes.Branch, ...refusals },
      },
    },
    async (request, reply) => {
      const key = keyOf(request, request.params.ivId);
      const row = await findBranch(sql, key);
      if (row === undefined) throw branchNotFound(key.ivId);
      reply.header('etag', etagOf(row.updated));
      return shaperFor(request, platform)(row);
    },
  );

  app.delete(
    '/branches/:ivId',
    {
      config: { access: tenant('delete', 'Branches', wholeOrganization) },
      schema: {
        tags,
        operationId: 'deleteBranch',
        summary: 'Delete a branch; refused while it has SKUs, unless forced',
        description:
          'With force=true its SKUs go with it, in the same transaction. Its orders stay, its iv_id is free again, its images are removed.',
        refuses: [branchNotFound('RUH-99'), conflict('Branch has SKUs', { iv_id: 'RUH-OLAYA', skus: 385 })],
        params: shapes.BranchParams,
        querystring: shapes.DeleteQuery,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const key = keyOf(request, request.params.ivId);
      const force = request.query.force ?? false;
      const { actor } = tenantOf(request);
      const files = await inTransaction(sql, (tx) => removeBranch(tx, key, { force }, actor, clock.now()));
      await removeUnclaimed(platform, files);
      return reply.code(204).send(null);
    },
  );

  app.put(
    '/branches/:ivId/working-hours',
    {
      ...judgedByRules,
      config: { access: tenant('update', 'Branches'), invalidBodyStatus },
      schema: {
        tags,
        operationId: 'setWorkingHours',
        summary: 'Replace the working hours, in either style; null clears them',
        description:
          'By weekday or as a list of periods. Windows that overlap, times that do not exist and unknown weekdays are refused by field. An account confined to the branch may do this too.',
        takes: ['if-match'],
        answersEtag: true,
        refuses: [
          badRequest({ working_hours: 'is required' }, 'Validation failed'),
          branchNotFound('RUH-99'),
          preconditionFailed(branchExample),
        ],
        params: shapes.BranchParams,
        body: shapes.WorkingHoursBody,
        response: { 200: shapes.BranchChanged, ...refusals },
      },
    },
    async (request, reply) => {
      const { working_hours } = requireObject(request.body);
      if (working_hours === undefined) refuseInvalid({ working_hours: 'is required' });
      const { patch, errors } = readBranchFields({ working_hours });
      refuseInvalid(errors);
      const key = keyOf(request, request.params.ivId);
      const { actor } = tenantOf(request);
      const shape = shaperFor(request, platform);
      const checkVersion = versionCheck(request.headers['if-match'], shape);
      const { branch } = await inTransaction(sql, (tx) =>
        updateBranch(tx, key, { patch, checkVersion }, actor, clock.now()),
      );
      reply.header('etag', etagOf(branch.updated));
      return mutationEnvelope(clock, 'Working hours updated', shape(branch));
    },
  );
}

/** The two routes that take a form as well as JSON. */
function formRoutes(app: App, platform: Platform): void {
  const { sql, clock, idempotentWrite } = platform;

  app.post(
    '/branches',
    {
      ...judgedByRules,
      config: { access: tenant('create', 'Branches', wholeOrganization), invalidBodyStatus },
      schema: {
        tags,
        operationId: 'createBranch',
        summary: 'Create a branch, with one SKU for every product; only iv_id is required',
        description:
          'As JSON, or as a form with images (jpg, png, webp or gif by content, at most 10 MB each, 20 photos). `skus_generated` counts the SKUs that came with it. A refused request leaves no file behind.',
        takes: ['idempotency-key'],
        refuses: [
          badRequest({ iv_id: 'is required' }, 'Validation failed'),
          conflict('Branch iv_id already exists', { iv_id: 'RUH-OLAYA' }),
          conflict('SKU iv_id already exists', { iv_id: 'B_C', sku_iv_id: 'A_B_C' }),
        ],
        body: shapes.NewBranchBody,
        response: { 201: shapes.BranchCreated, ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      const upload = openUpload(request, platform, organizationId);
      const { body, images, errors, fingerprint } = await readBranchRequest(request, upload);
      const input = readNewBranch(body);
      refuseInvalid({ ...input.errors, ...errors });
      const work = async (tx: Tx) => {
        await upload.claim(tx);
        const wanted = { ...input, images: newImages(images) };
        const created = await createBranch(tx, organizationId, wanted, actor, clock.now());
        return { status: 201, body: mutationEnvelope(clock, 'Branch created', created) };
      };
      return idempotentWrite(request, reply, scope, work, fingerprint);
    },
  );

  app.put(
    '/branches/:ivId',
    {
      ...judgedByRules,
      config: { access: tenant('update', 'Branches'), invalidBodyStatus },
      schema: {
        tags,
        operationId: 'updateBranch',
        summary: 'Change a branch: what is absent stays, null clears',
        description:
          'As JSON or as a form. iv_id cannot change. Images are replaced by files, removed by null; `photos` lists those to keep. An account confined to the branch may do this too.',
        takes: ['if-match'],
        answersEtag: true,
        refuses: [
          preconditionFailed(branchExample),
          badRequest(
            { status: 'must be one of New, Pending, Verifying, Published, Rejected, Terminated' },
            'Validation failed',
          ),
          branchNotFound('RUH-99'),
        ],
        params: shapes.BranchParams,
        body: shapes.BranchChangeBody,
        response: { 200: shapes.BranchChanged, ...refusals },
      },
    },
    async (request, reply) => {
      const key = keyOf(request, request.params.ivId);
      const upload = openUpload(request, platform, key.organizationId);
      const { body, images, errors } = await readBranchRequest(request, upload);
      const input = readBranchChange(body, key.ivId);
      refuseInvalid({ ...input.errors, ...errors });
      const { actor } = tenantOf(request);
      const shape = shaperFor(request, platform);
      const checkVersion = versionCheck(request.headers['if-match'], shape);
      const { branch, abandonedFiles } = await inTransaction(sql, async (tx) => {
        await upload.claim(tx);
        return updateBranch(tx, key, { patch: input.patch, images, checkVersion }, actor, clock.now());
      });
      await removeUnclaimed(platform, abandonedFiles);
      reply.header('etag', etagOf(branch.updated));
      return mutationEnvelope(clock, 'Branch updated', shape(branch));
    },
  );
}

function keyOf(request: FastifyRequest, ivId: string): BranchKey {
  const { organizationId, branchId } = tenantOf(request);
  return { organizationId, ivId, onlyBranchId: branchId };
}

function shaperFor(request: FastifyRequest, { clock }: Platform) {
  const { timeZone } = tenantOf(request);
  return branchShaper({ now: clock.now(), timeZone, urlOf: fileUrlsFor(request) });
}

/** A new branch has nothing to keep: only files count. */
function newImages({ hero_image, banner_image, photos }: ImageChange): BranchImages {
  return { hero_image: hero_image ?? null, banner_image: banner_image ?? null, photos: photos?.added ?? [] };
}

function readBulk(body: unknown): { mode: shapes.BulkMode; branches: unknown[] } {
  const { mode, branches } = requireObject(body);
  const known = shapes.BULK_MODES.find((candidate) => candidate === mode);
  if (known === undefined) {
    const reason = mode === undefined ? 'is required' : 'is unknown';
    throw badRequest({ mode: `${reason}: create, update or upsert` }, 'Validation failed');
  }
  if (!Array.isArray(branches) || branches.length === 0) {
    throw badRequest({ branches: 'must be a list with at least one branch' }, 'Validation failed');
  }
  if (branches.length > shapes.MAX_BULK_BRANCHES) {
    throw tooLarge({ branches: `at most ${shapes.MAX_BULK_BRANCHES} in one request` });
  }
  return { mode: known, branches };
}
