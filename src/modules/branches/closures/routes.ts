import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { listEnvelope, mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { PageQuery, readPaging } from '../../../platform/http/paging.ts';
import { badRequest } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { BranchParams } from '../schema.ts';
import { type BranchKey, findBranch } from '../sql/branches.ts';
import { branchNotFound } from '../update-branch.ts';
import { addClosures, closuresOverlap, MAX_CLOSURE_DAYS, tooManyClosures } from './add-closures.ts';
import { closureNotFound, removeClosure } from './remove-closure.ts';
import * as shapes from './schema.ts';
import { type ClosureRow, listClosures, lockClosureBranches, type NewClosure } from './sql.ts';

const tags = ['Branches'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const invalidBodyStatus = 400;
const pastDay = badRequest({ until: 'must not be in the past' }, 'Validation failed');

export function closureRoutes(app: App, platform: Platform): void {
  const { sql, clock, idempotentWrite } = platform;

  app.get(
    '/branches/:ivId/closures',
    {
      config: { access: tenant('read', 'Branches') },
      schema: {
        tags,
        operationId: 'listClosures',
        summary: 'Days on which a branch stays closed whatever its hours, by start',
        description: 'Holidays and other closures, past ones of the last 400 days included.',
        refuses: [branchNotFound('RUH-99')],
        params: BranchParams,
        querystring: Type.Object(PageQuery),
        response: { 200: shapes.ClosureList, ...refusals },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const key = keyOf(request, request.params.ivId);
      const branch = await findBranch(sql, key);
      if (branch === undefined) throw branchNotFound(key.ivId);
      const { rows, total } = await listClosures(sql, key.organizationId, branch.id, paging);
      return listEnvelope(rows.map(closureShape), total, paging);
    },
  );

  app.post(
    '/branches/:ivId/closures',
    {
      config: { access: tenant('update', 'Branches'), invalidBodyStatus },
      schema: {
        tags,
        operationId: 'addClosure',
        summary: 'Close a branch on some days',
        description:
          `From the first to the last day, both included, at most ${MAX_CLOSURE_DAYS} days, by the clock of the branch. A window of ` +
          'hours belongs to the day on which it opens: one that runs past midnight is not cut by a closure of the next day, and ' +
          '`is_open` and `open_at` follow that. At most 100 closures a branch, which may not overlap (409). An account confined to ' +
          'the branch may do this too.',
        takes: ['idempotency-key'],
        refuses: [pastDay, branchNotFound('RUH-99'), closuresOverlap(['RUH-OLAYA']), tooManyClosures(['RUH-OLAYA'])],
        params: BranchParams,
        body: shapes.NewClosureBody,
        response: { 201: shapes.ClosureCreated, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, timeZone, branchId, scope, actor } = tenantOf(request);
      const closure = readClosure(request.body);
      const { ivId } = request.params;
      return idempotentWrite(request, reply, scope, async (tx) => {
        const branches = await lockClosureBranches(tx, organizationId, [ivId]);
        const [branch] = branches;
        if (branch === undefined || (branchId !== null && branch.id !== branchId)) throw branchNotFound(ivId);
        const [row] = await addClosures(tx, { organizationId, timeZone }, branches, closure, actor, clock.now());
        if (row === undefined) throw new Error('one branch gets one closure');
        return { status: 201, body: mutationEnvelope(clock, 'Closure added', closureShape(row)) };
      });
    },
  );

  app.post(
    '/branches/closures',
    {
      config: { access: tenant('update', 'Branches', { branchConfined: 'refused' }), invalidBodyStatus },
      schema: {
        tags,
        operationId: 'addClosures',
        summary: 'Close several branches, or all, on the same days',
        description:
          'For holidays. All of them get the closure, or none: if one has a closure on these days the answer is 409 and names it.',
        takes: ['idempotency-key'],
        refuses: [
          pastDay,
          noBranches(),
          closuresOverlap(['RUH-OLAYA', 'JED-CORNICHE']),
          tooManyClosures(['RUH-OLAYA']),
        ],
        body: shapes.NewClosuresBody,
        response: { 201: shapes.ClosuresCreated, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, timeZone, scope, actor } = tenantOf(request);
      const closure = readClosure(request.body);
      const { all = false, branch_iv_ids: ivIds } = request.body;
      if (all === (ivIds !== undefined)) throw noBranches();
      return idempotentWrite(request, reply, scope, async (tx) => {
        const branches = await lockClosureBranches(tx, organizationId, ivIds);
        refuseUnknown(ivIds ?? [], new Set(branches.map(({ iv_id }) => iv_id)));
        const rows = await addClosures(tx, { organizationId, timeZone }, branches, closure, actor, clock.now());
        return { status: 201, body: mutationEnvelope(clock, 'Closures added', { created: rows.length }) };
      });
    },
  );

  app.delete(
    '/branches/:ivId/closures/:id',
    {
      config: { access: tenant('update', 'Branches') },
      schema: {
        tags,
        operationId: 'removeClosure',
        summary: 'Remove a closure',
        description:
          'The hours of the branch apply on these days again. An account confined to the branch may do this too.',
        refuses: [branchNotFound('RUH-99'), closureNotFound(shapes.closureId)],
        params: shapes.ClosureParams,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { ivId, id } = request.params;
      const { actor } = tenantOf(request);
      await inTransaction(sql, (tx) => removeClosure(tx, keyOf(request, ivId), id, actor, clock.now()));
      return reply.code(204).send(null);
    },
  );
}

function keyOf(request: FastifyRequest, ivId: string): BranchKey {
  const { organizationId, branchId } = tenantOf(request);
  return { organizationId, ivId, onlyBranchId: branchId };
}

function readClosure({ from, until, reason_en = '', reason_ar = '' }: shapes.NewClosureShape): NewClosure {
  return { from, until, reasonEn: reason_en, reasonAr: reason_ar };
}

function noBranches() {
  return badRequest({ branch_iv_ids: 'is required, or all: true, but not both' }, 'Validation failed');
}

function refuseUnknown(named: readonly string[], known: ReadonlySet<string>): void {
  const wrong = named.flatMap((ivId, index) => (known.has(ivId) ? [] : [[`branch_iv_ids.${index}`, 'is no branch']]));
  if (wrong.length > 0) throw badRequest(Object.fromEntries(wrong), 'Validation failed');
}

function closureShape(row: ClosureRow) {
  return { ...row, created: row.created.toISOString() };
}
