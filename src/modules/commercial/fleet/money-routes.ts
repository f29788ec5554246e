import type { App } from '../../../platform/http/app.ts';
import { badRequest, unprocessable } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { actorOf, commercial, userScope } from '../../identity/index.ts';
import { type Money, previewCredit } from '../billing/index.ts';
import { readAmount } from './amount.ts';
import { applyTenantCredit } from './apply-tenant-credit.ts';
import { getFleetOrganization } from './fleet-organization.ts';
import * as docs from './money-route-docs.ts';
import { creditShape, paymentShape, settlementShape } from './money-shapes.ts';
import { receivePayment } from './receive-payment.ts';

export type MoneyOptions = { forgetOrganization(id: string): void };

/** Credits and payments that an operator records, one organization at a time. */
export function moneyRoutes(
  app: App,
  { sql, clock, idempotentWrite }: Platform,
  { forgetOrganization }: MoneyOptions,
): void {
  app.get(
    '/commercial/tenant-credit/preview',
    { config: { access: commercial }, schema: docs.previewTenantCreditDoc },
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
    { config: { access: commercial }, schema: docs.applyTenantCreditDoc },
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
    { config: { access: commercial }, schema: docs.recordBillingPaymentDoc },
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

/** What the schema cannot check: fractions of a halala, and blank text. */
function readAmountAnd(field: string, text: string, amount: number): Money {
  const { amountSar, wrong } = readAmount(amount);
  if (text.trim() === '') wrong[field] = 'must not be empty';
  if (Object.keys(wrong).length > 0) throw unprocessable(wrong);
  return amountSar;
}
