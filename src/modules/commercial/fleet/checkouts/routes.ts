import { inTransaction } from '../../../../platform/database/index.ts';
import type { App } from '../../../../platform/http/app.ts';
import { listEnvelope } from '../../../../platform/http/envelopes.ts';
import { readPaging } from '../../../../platform/http/paging.ts';
import { unprocessable } from '../../../../platform/http/problem.ts';
import type { Platform } from '../../../../platform/platform.ts';
import { linkBaseOf, tenant, tenantOf } from '../../../identity/index.ts';
import { readAmount } from '../amount.ts';
import { checkoutAt } from './expiry.ts';
import { cancelCheckout, confirmCheckout } from './finish-checkout.ts';
import { getCheckout, openCheckout } from './open-checkout.ts';
import * as docs from './route-docs.ts';
import { checkoutShape } from './schema.ts';
import { countCheckouts, listCheckoutRows } from './sql.ts';

/** Also while suspended: paying is what ends a suspension. */
const rules = { branchConfined: 'refused', whileSuspended: 'allowed' } as const;
const read = tenant('read', 'Settings', rules);
const change = tenant('update', 'Settings', rules);

export type CheckoutOptions = {
  publicUrl: string | undefined;
  payments: 'off' | 'sandbox';
  /** Drops the cached organization, so that the end of a suspension takes effect with the next request on this node. */
  forgetOrganization(id: string): void;
};

export function checkoutRoutes(app: App, { sql, clock, idempotentWrite }: Platform, options: CheckoutOptions): void {
  const { publicUrl, payments, forgetOrganization } = options;
  const requirePayments = () => {
    if (payments === 'off') throw docs.paymentsAreOff();
  };

  app.post(
    '/billing/payments',
    { config: { access: change }, schema: docs.openCheckoutDoc },
    async (request, reply) => {
      requirePayments();
      const { amountSar, wrong } = readAmount(request.body.amount_sar);
      if (Object.keys(wrong).length > 0) throw unprocessable(wrong);
      const { organizationId, scope, actor } = tenantOf(request);
      const base = linkBaseOf(request, publicUrl);
      return idempotentWrite(request, reply, scope, async (tx) => {
        const checkout = await openCheckout(tx, organizationId, amountSar, actor, clock.now());
        return { status: 201, body: checkoutShape(checkout, base) };
      });
    },
  );

  app.get('/billing/payments', { config: { access: read }, schema: docs.listCheckoutsDoc }, async (request) => {
    const { organizationId } = tenantOf(request);
    const paging = readPaging(request.query);
    const [rows, total] = await Promise.all([
      listCheckoutRows(sql, organizationId, paging),
      countCheckouts(sql, organizationId),
    ]);
    const base = linkBaseOf(request, publicUrl);
    const now = clock.now();
    return listEnvelope(
      rows.map((row) => checkoutShape(checkoutAt(row, now), base)),
      total,
      paging,
    );
  });

  app.get('/billing/payments/:id', { config: { access: read }, schema: docs.getCheckoutDoc }, async (request) => {
    const checkout = await getCheckout(sql, tenantOf(request).organizationId, request.params.id, clock.now());
    return checkoutShape(checkout, linkBaseOf(request, publicUrl));
  });

  app.post(
    '/billing/payments/:id/confirm',
    { config: { access: change }, schema: docs.confirmCheckoutDoc },
    async (request) => {
      const { organizationId, actor } = tenantOf(request);
      const { id } = await getCheckout(sql, organizationId, request.params.id, clock.now());
      requirePayments();
      const key = { organizationId, id };
      const checkout = await inTransaction(sql, (tx) => confirmCheckout(tx, key, actor, clock.now()));
      forgetOrganization(organizationId);
      return checkoutShape(checkout, linkBaseOf(request, publicUrl));
    },
  );

  app.post(
    '/billing/payments/:id/cancel',
    { config: { access: change }, schema: docs.cancelCheckoutDoc },
    async (request) => {
      const { organizationId, actor } = tenantOf(request);
      const key = { organizationId, id: request.params.id };
      const checkout = await inTransaction(sql, (tx) => cancelCheckout(tx, key, actor, clock.now()));
      return checkoutShape(checkout, linkBaseOf(request, publicUrl));
    },
  );
}
