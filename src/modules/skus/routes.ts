import { inTransaction } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { listEnvelope, mutationEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import { tooLarge } from '../../platform/http/problem.ts';
import { itemFaultsOf } from '../../platform/http/unknown-names.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Tenant, tenant, tenantOf } from '../identity/index.ts';
import { changeSku, changeSkus, skuNotFound } from './change-skus.ts';
import { findSkus } from './find-skus.ts';
import { priceChangeRoutes } from './price-changes/routes.ts';
import { scheduledPriceRoutes } from './scheduled-prices/routes.ts';
import * as shapes from './schema.ts';
import { findSku, type SkuRow, type SkuScope } from './sql/skus.ts';

const tags = ['SKUs'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };

export function skuRoutes(app: App, platform: Platform): void {
  const { sql, clock } = platform;
  priceChangeRoutes(app, platform);
  scheduledPriceRoutes(app, platform);

  app.get(
    '/skus',
    {
      config: { access: tenant('read', 'Products') },
      schema: {
        tags,
        operationId: 'listSkus',
        summary: 'Products by branch, newest first',
        description: 'An account confined to one branch sees the SKUs of that branch.',
        querystring: shapes.SkuQuery,
        response: { 200: shapes.SkuList, ...refusals },
      },
    },
    async (request) => {
      const { rows, total, paging } = await findSkus(sql, scopeOf(tenantOf(request)), request.query);
      return listEnvelope(rows.map(skuShape), total, paging);
    },
  );

  app.get(
    '/skus/:ivId',
    {
      config: { access: tenant('read', 'Products') },
      schema: {
        tags,
        operationId: 'getSku',
        summary: 'One product in one branch',
        description: 'By its iv_id. `effective_price` is its own price or that of the product.',
        refuses: [skuNotFound('PAIN-0003_RUH-99')],
        params: shapes.SkuParams,
        response: { 200: shapes.Sku, ...refusals },
      },
    },
    async (request) => {
      const { ivId } = request.params;
      const row = await findSku(sql, scopeOf(tenantOf(request)), ivId);
      if (row === undefined) throw skuNotFound(ivId);
      return skuShape(row);
    },
  );

  app.patch(
    '/skus/:ivId',
    {
      config: { access: tenant('update', 'Products') },
      schema: {
        tags,
        operationId: 'updateSku',
        summary: 'Change price, stock or availability; what is absent stays',
        description:
          "A price of null goes back to the product's. SKUs come and go with products and branches, so there is neither create nor delete.",
        refuses: [skuNotFound('PAIN-0003_RUH-99')],
        params: shapes.SkuParams,
        body: shapes.SkuChangeBody,
        response: { 200: shapes.SkuChanged, ...refusals },
      },
    },
    async (request) => {
      const caller = tenantOf(request);
      const { actor } = caller;
      const row = await inTransaction(sql, (tx) =>
        changeSku(tx, scopeOf(caller), request.params.ivId, request.body, actor, clock.now()),
      );
      return mutationEnvelope(clock, 'SKU updated', skuShape(row));
    },
  );

  app.post(
    '/skus/bulk',
    {
      bodyLimit: BODY_LIMIT_BYTES.bulk,
      config: {
        access: tenant('update', 'Products'),
        bodyNames: shapes.SkuBulkNames,
        bulk: { list: 'skus', key: 'iv_id' },
      },
      schema: {
        tags,
        operationId: 'updateSkus',
        summary: `Change up to ${shapes.MAX_BULK_SKUS} SKUs; each item succeeds or fails on its own`,
        description: 'The answer is 200 even when all fail: see `failed` and `errors`.',
        refuses: [tooLarge({ skus: `must have at most ${shapes.MAX_BULK_SKUS} items` })],
        body: shapes.SkuBulkBody,
        response: { 200: shapes.SkuBulkAnswer, ...refusals },
      },
    },
    async (request) => {
      const { skus } = request.body;
      if (skus.length > shapes.MAX_BULK_SKUS)
        throw tooLarge({ skus: `must have at most ${shapes.MAX_BULK_SKUS} items` });
      const caller = tenantOf(request);
      const { actor } = caller;
      const faults = itemFaultsOf(request);
      const outcome = await inTransaction(sql, (tx) =>
        changeSkus(tx, scopeOf(caller), skus, actor, clock.now(), faults),
      );
      return mutationEnvelope(clock, `${outcome.succeeded} of ${skus.length} SKUs updated`, outcome);
    },
  );
}

function scopeOf({ organizationId, branchId }: Tenant): SkuScope {
  return { organizationId, onlyBranchId: branchId };
}

function skuShape(row: SkuRow): shapes.SkuShape {
  return { ...row, created: row.created.toISOString(), updated: row.updated.toISOString() };
}
