import type { App } from '../../../platform/http/app.ts';
import { mutationEnvelope, ProblemSchema } from '../../../platform/http/envelopes.ts';
import { unprocessable } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tenant, tenantOf } from '../../identity/index.ts';
import { changePrices, tooManySkus } from './change-prices.ts';
import * as shapes from './schema.ts';

export function priceChangeRoutes(app: App, { clock, idempotentWrite }: Platform): void {
  app.post(
    '/skus/price-changes',
    {
      config: { access: tenant('update', 'Products') },
      schema: {
        tags: ['SKUs'],
        operationId: 'changePrices',
        summary: 'Change the prices of many SKUs by a percentage',
        description: `Computed from the effective price, rounded, and set as the price of the SKU; the price of the product stays. At most ${shapes.MAX_CHANGED_SKUS} SKUs. Send dry_run first to see what would change.`,
        takes: ['idempotency-key'],
        refuses: [tooManySkus(), unprocessable({ percent: 'must have at most 2 decimals' })],
        body: shapes.PriceChangeBody,
        response: { 200: shapes.PriceChangeAnswer, '4xx': ProblemSchema, '5xx': ProblemSchema },
      },
    },
    (request, reply) => {
      const { organizationId, branchId, scope, actor } = tenantOf(request);
      const skus = { organizationId, onlyBranchId: branchId };
      return idempotentWrite(request, reply, scope, async (tx) => {
        const changed = await changePrices(tx, skus, request.body, actor, clock.now());
        const message = changed.applied ? `${changed.total} prices changed` : `${changed.total} prices would change`;
        return { status: 200, body: mutationEnvelope(clock, message, changed) };
      });
    },
  );
}
