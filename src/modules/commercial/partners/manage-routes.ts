import { Type } from 'typebox';
import { inTransaction } from '../../../platform/database/index.ts';
import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import { refuseBrokenHalalas, sarText } from '../../../platform/http/sar-amount.ts';
import type { Platform } from '../../../platform/platform.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import { changePartner } from './change-partner.ts';
import { addPayee, changePayee, payeeExists, unknownPayee } from './change-payee.ts';
import { createPartner, partnerNotFound, tooManyPartners } from './manage-partners.ts';
import * as shapes from './schema.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
const unknownPartner = partnerNotFound(shapes.EXAMPLE_PARTNER_ID);
const wrongIban = unprocessable({ iban: 'is no valid IBAN' });
const idOf = (description: string, example: string) =>
  Type.Object({ id: Type.String({ description, examples: [example] }) });

/** Partners and their payees; rates, payouts and proofs are in `routes.ts`. */
export function managePartnerRoutes(app: App, { sql, box, clock, idempotentWrite }: Platform): void {
  app.post(
    '/commercial/partners',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'createPartner',
        summary: 'Create a partner',
        description: 'Tenants are attached at the command line: `dukkan partner tenant`.',
        takes: ['idempotency-key'] as const,
        refuses: [tooManyPartners()],
        body: shapes.NewPartner,
        response: { 201: shapes.Partner, ...refusals },
      },
    },
    (request, reply) => {
      const { name, erp = '', rate_percent } = request.body;
      refuseBrokenHalalas({ rate_percent });
      return idempotentWrite(request, reply, userScope(request), async (tx) => {
        const input = { name: name.trim(), erp: erp.trim(), ratePercent: sarText(rate_percent) };
        const partner = await createPartner(tx, input, actorOf(request), clock.now());
        return { status: 201, body: shapes.partnerShape(partner) };
      });
    },
  );

  app.patch(
    '/commercial/partners/:id',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'changePartner',
        summary: 'Change a partner',
        description: 'Absent fields stay as they are. A new rate applies to future payments.',
        refuses: [unknownPartner],
        params: idOf('The id of the partner', shapes.EXAMPLE_PARTNER_ID),
        body: shapes.PartnerChange,
        response: { 200: shapes.Partner, ...refusals },
      },
    },
    async (request) => {
      const { params, body } = request;
      const actor = actorOf(request);
      return shapes.partnerShape(
        await inTransaction(sql, (tx) => changePartner(tx, params.id, body, actor, clock.now())),
      );
    },
  );

  app.post(
    '/commercial/partner-users',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'createPartnerUser',
        summary: 'Add a payee to a partner',
        description: 'The IBAN is checked, encrypted at rest and shown masked.',
        takes: ['idempotency-key'] as const,
        refuses: [unknownPartner, payeeExists('fahad@rawabi.example'), wrongIban],
        body: shapes.NewPartnerUser,
        response: { 201: shapes.PartnerUser, ...refusals },
      },
    },
    (request, reply) => {
      const { partner_id: partnerId, name, email, iban } = request.body;
      return idempotentWrite(request, reply, userScope(request), async (tx) => {
        const payee = { partnerId, name: name.trim(), email, iban };
        return { status: 201, body: await addPayee(tx, box, payee, actorOf(request), clock.now()) };
      });
    },
  );

  app.patch(
    '/commercial/partner-users/:id',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'changePartnerUser',
        summary: 'Change a payee',
        description: 'Absent fields stay as they are.',
        refuses: [unknownPayee(shapes.EXAMPLE_PAYEE_ID), payeeExists('fahad@rawabi.example'), wrongIban],
        params: idOf('The id of the payee', shapes.EXAMPLE_PAYEE_ID),
        body: shapes.PartnerUserChange,
        response: { 200: shapes.PartnerUser, ...refusals },
      },
    },
    (request) => {
      const { params, body } = request;
      const actor = actorOf(request);
      return inTransaction(sql, (tx) => changePayee(tx, box, params.id, body, actor, clock.now()));
    },
  );
}
