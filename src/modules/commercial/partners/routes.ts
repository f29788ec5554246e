import type { App } from '../../../platform/http/app.ts';
import { pager, readPager } from '../../../platform/http/camel-case-pager.ts';
import { compileValidator } from '../../../platform/http/validation.ts';
import { isId } from '../../../platform/ids.ts';
import type { Platform } from '../../../platform/platform.ts';
import { installForms, OPERATOR_FILES, openUpload, sendPrivateFile } from '../../files/index.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import { listRates } from './list-rates.ts';
import { managePartnerRoutes } from './manage-routes.ts';
import { readPayoutRequest } from './read-payout-request.ts';
import { proofNotFound, recordPayout } from './record-payout.ts';
import * as docs from './route-docs.ts';
import * as shapes from './schema.ts';
import { countPartners } from './sql/partners.ts';
import { countPayees, findPayout, listPayees, listPayouts } from './sql/payouts.ts';

/** Schemas document the bodies; the rule validates them, as JSON and as a form. */
const judgedByRule = {
  validatorCompiler: (route: Parameters<typeof compileValidator>[0]) =>
    route.httpPart === 'body' ? () => true : compileValidator(route),
};

export function partnerRoutes(app: App, platform: Platform): void {
  const { sql, files } = platform;
  app.register(async (scope: App) => {
    await installForms(scope);
    payoutFormRoute(scope, platform);
  });

  managePartnerRoutes(app, platform);

  app.get(
    '/commercial/erp-commission-rates',
    { config: { access: commercial }, schema: docs.listCommissionRatesDoc },
    async () => {
      const partners = await listRates(sql, { limit: shapes.MAX_LIST_ITEMS });
      const total = partners.length < shapes.MAX_LIST_ITEMS ? partners.length : await countPartners(sql);
      return { items: partners.map(shapes.rateShape), total_items: total };
    },
  );

  app.get(
    '/commercial/partner-users',
    { config: { access: commercial }, schema: docs.listPartnerUsersDoc },
    async (request) => {
      const { partner_id } = request.query;
      const items = await listPayees(sql, partner_id, shapes.MAX_LIST_ITEMS);
      return {
        items,
        total_items: items.length < shapes.MAX_LIST_ITEMS ? items.length : await countPayees(sql, partner_id),
      };
    },
  );

  app.get(
    '/commercial/partner-commissions',
    { config: { access: commercial }, schema: docs.listPartnerCommissionsDoc },
    async (request) => {
      const paging = readPager(request.query);
      const { rows, total } = await listPayouts(sql, request.query.partner_id, paging);
      return pager(rows.map(shapes.payoutShape), total, paging);
    },
  );

  app.get(
    '/commercial/partner-commissions/:id/proof',
    { config: { access: commercial }, schema: docs.getCommissionProofDoc },
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
      schema: docs.recordPartnerCommissionDoc,
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
