import type { App } from '../../../platform/http/app.ts';
import { ProblemSchema } from '../../../platform/http/envelopes.ts';
import { badRequest, unprocessable } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import { type Money, previewCredit } from '../billing/index.ts';
import { readAmount } from './amount.ts';
import { applyTenantCredit } from './apply-tenant-credit.ts';
import { getFleetOrganization, organizationNotFound } from './fleet-organization.ts';
import {
  Credit,
  CreditBody,
  CreditQuery,
  exampleOrganizationId,
  PaymentBody,
  RecordedPayment,
} from './money-schema.ts';
import { creditShape, paymentShape, settlementShape } from './money-shapes.ts';
import { receivePayment } from './receive-payment.ts';

const tags = ['Commercial'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export type MoneyOptions = { forgetOrganization(id: string): void };

/** Money that an operator gives or takes in, one organization at a time. */
export function moneyRoutes(
  app: App,
  { sql, clock, idempotentWrite }: Platform,
  { forgetOrganization }: MoneyOptions,
): void {
  app.get(
    '/commercial/tenant-credit/preview',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'previewTenantCredit',
        summary: 'What a credit would do, without doing it',
        description:
          'The oldest fee first, the rest to the wallet: what applying it answers, to the halala, as long as nothing else ' +
          'moves in between.',
        refuses: [organizationNotFound(exampleOrganizationId)],
        querystring: CreditQuery,
        response: { 200: Credit, ...refusals },
      },
    },
    async (request) => {
      const { organization_id, amount_sar } = request.query;
      const { amountSar, wrong } = readAmount(amount_sar);
      if (Object.keys(wrong).length > 0) throw badRequest(wrong);
      const { id } = await getFleetOrganization(sql, organization_id);
      const settlement = await previewCredit(sql, id, amountSar);
      return creditShape(id, amount_sar, settlement);
    },
  );

  app.post(
    '/commercial/tenant-credit',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'applyTenantCredit',
        summary: 'Give an organization a credit',
        description:
          'Settles its oldest open fees, in part if need be; what is left goes to its wallet, and what was in there already ' +
          'stays. Ends a suspension for unpaid fees once none is more than 30 days overdue. Send an Idempotency-Key, so ' +
          'that a repeat gives nothing twice.',
        takes: ['idempotency-key'],
        refuses: [organizationNotFound(exampleOrganizationId)],
        body: CreditBody,
        response: { 200: Credit, ...refusals },
      },
    },
    async (request, reply) => {
      const { organization_id, amount_sar, note } = request.body;
      const amountSar = readAmountAnd('note', note, amount_sar);
      const { id } = await getFleetOrganization(sql, organization_id);
      const actor = actorOf(request);
      const sent = await idempotentWrite(request, reply, userScope(request), async (tx) => {
        const credit = { organizationId: id, amountSar, note };
        const { settlement } = await applyTenantCredit(tx, actor, credit, clock.now());
        return { status: 200, body: creditShape(id, amount_sar, settlement) };
      });
      forgetOrganization(id);
      return sent;
    },
  );

  app.post(
    '/commercial/payments',
    {
      config: { access: commercial },
      schema: {
        tags,
        operationId: 'recordBillingPayment',
        summary: 'Record a payment that was received',
        description:
          'Goes to the wallet as a top-up and settles the oldest open fees from it, in part if need be. Ends a suspension ' +
          'for unpaid fees at once when none is more than 30 days overdue any more. Send an Idempotency-Key, so that a ' +
          'repeat counts nothing twice.',
        takes: ['idempotency-key'],
        refuses: [organizationNotFound(exampleOrganizationId)],
        body: PaymentBody,
        response: { 201: RecordedPayment, ...refusals },
      },
    },
    async (request, reply) => {
      const { organization_id, amount_sar, method, reference } = request.body;
      const amountSar = readAmountAnd('reference', reference, amount_sar);
      const { id, name_en } = await getFleetOrganization(sql, organization_id);
      const actor = actorOf(request);
      const sent = await idempotentWrite(request, reply, userScope(request), async (tx) => {
        const received = { organizationId: id, amountSar, method, reference };
        const { payment, settlement, isResumed } = await receivePayment(tx, actor, received, clock.now());
        const body = {
          ...paymentShape({ ...payment, organization_name_en: name_en }),
          ...settlementShape(settlement),
          resumed: isResumed,
        };
        return { status: 201, body };
      });
      forgetOrganization(id);
      return sent;
    },
  );
}

/** What the schema cannot see: fractions of a halala, and a text of nothing but spaces. */
function readAmountAnd(field: string, text: string, amount: number): Money {
  const { amountSar, wrong } = readAmount(amount);
  if (text.trim() === '') wrong[field] = 'must not be empty';
  if (Object.keys(wrong).length > 0) throw unprocessable(wrong);
  return amountSar;
}
