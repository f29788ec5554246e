import { Type } from 'typebox';
import type { App } from '../../../platform/http/app.ts';
import { pager, readPager } from '../../../platform/http/camel-case-pager.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { badRequest, notFound, unprocessable } from '../../../platform/http/problem.ts';
import { compileValidator } from '../../../platform/http/validation.ts';
import { isId } from '../../../platform/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { installForms, OPERATOR_FILES, openUpload, PRIVATE_FILE_ANSWER, sendPrivateFile } from '../../files/index.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import { MAX_PARTNERS, partnerNotFound } from './keep-partners.ts';
import { listRates } from './list-rates.ts';
import { readPayoutRequest } from './read-payout-request.ts';
import { moreThanDue, payeeNotFound, recordPayout } from './record-payout.ts';
import * as shapes from './schema.ts';
import { countPartners } from './sql/partners.ts';
import { countPayees, findPayout, listPayees, listPayouts } from './sql/payouts.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const LIST_CAP = 500;

/** Bodies are described by their schemas and judged by the rule, which knows both forms. */
const judgedByRule = {
  validatorCompiler: (route: Parameters<typeof compileValidator>[0]) =>
    route.httpPart === 'body' ? () => true : compileValidator(route),
};
const proofNotFound = (id: string) => notFound('Proof not found', { id });

export function partnerRoutes(app: App, platform: Platform): void {
  const { sql, files } = platform;
  app.register(async (scope: App) => {
    await installForms(scope);
    payoutFormRoute(scope, platform);
  });

  app.get(
    '/commercial/erp-commission-rates',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listCommissionRates',
        summary: 'Partners, their share and what each of their tenants has earned them',
        description: `All partners, the oldest first; there are at most ${MAX_PARTNERS}. A payout is for all tenants together and is shown spread over them, in proportion to what they have earned and exact to the halala. A tenant that has gone to another partner is shown with both.`,
        response: { 200: shapes.CommissionRateList, ...refusals },
      },
    },
    async () => {
      const partners = await listRates(sql, { limit: LIST_CAP });
      const total = partners.length < LIST_CAP ? partners.length : await countPartners(sql);
      return { items: partners.map(shapes.rateShape), total_items: total };
    },
  );

  app.get(
    '/commercial/partner-users',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listPartnerUsers',
        summary: 'Whom partners have their money sent to',
        description: `At most ${LIST_CAP}, the oldest first; \`total_items\` says how many there are. Accounts are shown masked.`,
        querystring: shapes.PayeeQuery,
        response: { 200: shapes.PartnerUserList, ...refusals },
      },
    },
    async (request) => {
      const { partner_id } = request.query;
      const items = await listPayees(sql, partner_id, LIST_CAP);
      return { items, total_items: items.length < LIST_CAP ? items.length : await countPayees(sql, partner_id) };
    },
  );

  app.get(
    '/commercial/partner-commissions',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'listPartnerCommissions',
        summary: 'Payouts to partners, newest first',
        description: 'Bank transfers as they were recorded.',
        querystring: shapes.PayoutQuery,
        response: { 200: shapes.PartnerCommissionPage, ...refusals },
      },
    },
    async (request) => {
      const paging = readPager(request.query);
      const { rows, total } = await listPayouts(sql, request.query.partner_id, paging);
      return pager(rows.map(shapes.payoutShape), total, paging);
    },
  );

  app.get(
    '/commercial/partner-commissions/:id/proof',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'getCommissionProof',
        summary: 'The receipt of a payout',
        description: 'As it was uploaded, to be kept by no cache. No other address leads to it.',
        refuses: [proofNotFound(shapes.EXAMPLE_PAYOUT_ID)],
        params: Type.Object({
          id: Type.String({ description: "The payout's id", examples: [shapes.EXAMPLE_PAYOUT_ID] }),
        }),
        response: {
          200: PRIVATE_FILE_ANSWER,
          ...refusals,
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const payout = isId(id) ? await findPayout(sql, id) : undefined;
      const missing = proofNotFound(id);
      if (payout === undefined || payout.proof_key === null) throw missing;
      const name = `commission-${payout.period}.${payout.proof_key.split('.').at(-1)}`;
      return sendPrivateFile(reply, files, { key: payout.proof_key, name, missing });
    },
  );
}

function payoutFormRoute(app: App, platform: Platform): void {
  const { clock, idempotentWrite } = platform;

  app.post(
    '/commercial/partner-commissions',
    {
      ...judgedByRule,
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'recordPartnerCommission',
        summary: 'Record a bank transfer to a partner, with its receipt',
        description:
          'As JSON, or as a form with the file `proof` (pdf, jpg, png, webp or gif by content, at most 10 MB). More than is due is refused with what is due. A payout is not changed afterwards.',
        takes: ['idempotency-key'],
        refuses: [
          partnerNotFound(shapes.EXAMPLE_PARTNER_ID),
          payeeNotFound(shapes.EXAMPLE_PAYEE_ID),
          moreThanDue(shapes.EXAMPLE_PARTNER_ID, 450),
          badRequest({ proof: 'The file is larger than 10485760 bytes' }, 'Validation failed'),
          unprocessable({ amount_sar: 'is required' }),
        ],
        body: shapes.NewPayoutBody,
        response: { 201: shapes.PartnerCommission, ...refusals },
      },
    },
    async (request, reply) => {
      const upload = openUpload(request, platform, OPERATOR_FILES);
      const { payout, content } = await readPayoutRequest(request, upload, clock.now());
      return idempotentWrite(
        request,
        reply,
        userScope(request),
        async (tx) => {
          await upload.claim(tx);
          const row = await recordPayout(tx, payout, actorOf(request), clock.now());
          return { status: 201, body: shapes.payoutShape(row) };
        },
        content,
      );
    },
  );
}
