import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { batchReads, inTransaction, rememberTotals } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/app.ts';
import { BODY_LIMIT_BYTES } from '../../platform/http/body-limits.ts';
import { listEnvelope, mutationEnvelope, ProblemSchema } from '../../platform/http/envelopes.ts';
import { readPaging } from '../../platform/http/paging.ts';
import { etagOf, preconditionFailed } from '../../platform/http/preconditions.ts';
import { conflict, tooLarge, unprocessable } from '../../platform/http/problem.ts';
import { itemFaultsOf } from '../../platform/http/unknown-names.ts';
import { compileValidator } from '../../platform/http/validation.ts';
import type { Platform } from '../../platform/platform.ts';
import { installForms, removeUnclaimed } from '../files/index.ts';
import { tenant, tenantOf } from '../identity/index.ts';
import { deleteProduct } from './delete-product.ts';
import { productExportRoutes } from './export/routes.ts';
import { imageRoutes } from './images/routes.ts';
import { listProducts } from './list-products.ts';
import { DEFAULTS, type ProductFields, readFields } from './product.ts';
import { shaperFor } from './product-shaper.ts';
import { readFilter, readProductSort } from './read-query.ts';
import { getProduct, productNotFound } from './refusals.ts';
import { retryCollisions } from './retry-collisions.ts';
import { saveProducts, summarize } from './save-products.ts';
import * as shapes from './schema.ts';
import { findProducts, type KeyedProduct, type ProductKey } from './sql/read.ts';
import { writeProducts } from './write-products.ts';

const tags = ['Products'];
const refusals = { '4xx': ProblemSchema, '5xx': ProblemSchema };
/** A product reaches into every branch, so an account that is confined to one may read it only. */
const wholeOrganization = { branchConfined: 'refused' } as const;
const changeRefusals = [
  unprocessable({ iv_id: 'cannot be changed' }),
  productNotFound('PAIN-9999'),
  conflict('Duplicate barcode', { barcode: '6287201000013' }),
  preconditionFailed(shapes.productExample),
];
const REMEMBERED_TOTALS = 2_000;

export function productRoutes(app: App, platform: Platform): void {
  const { sql, clock, idempotentWrite } = platform;
  const totals = rememberTotals(REMEMBERED_TOTALS);
  const findProduct = batchReads<ProductKey, KeyedProduct>({
    load: (keys) => findProducts(sql, keys),
    keyOf: (row) => ({ organizationId: row.organization_id, ivId: row.iv_id }),
    textOf: (key) => key.organizationId + key.ivId,
    maxBatch: 100,
    parallel: 2,
  });
  app.register(async (scope: App) => {
    await installForms(scope);
    imageRoutes(scope, platform);
  });
  productExportRoutes(app, platform);

  app.get(
    '/products',
    {
      config: { access: tenant('read', 'Products') },
      schema: {
        tags,
        operationId: 'listProducts',
        summary: 'Products, newest first unless sorted otherwise',
        description: 'Totals are exact. Deleted products are not listed.',
        querystring: shapes.ProductQuery,
        response: { 200: shapes.ProductList, ...refusals },
      },
    },
    async (request) => {
      const { organizationId } = tenantOf(request);
      const paging = readPaging(request.query);
      const query = { filter: readFilter(request.query), sort: readProductSort(request.query), paging };
      const { products, total } = await listProducts(sql, totals, organizationId, query);
      return listEnvelope(products.map(shaperFor(request)), total, paging);
    },
  );

  app.post(
    '/products',
    {
      config: { access: tenant('create', 'Products', wholeOrganization) },
      schema: {
        tags,
        operationId: 'createProduct',
        summary: 'Create a product, with one SKU in every branch',
        description:
          'Only iv_id is required. The SKUs of all branches are made in the same transaction. A barcode is unique in the organization unless it is empty.',
        takes: ['idempotency-key'],
        refuses: [
          unprocessable({ brand_id: 'does not exist' }),
          conflict('Product iv_id already exists', { iv_id: 'PAIN-0001' }),
          conflict('Duplicate barcode', { barcode: '6287201000013' }),
          conflict('SKU iv_id already exists', { iv_id: 'A_B', sku_iv_id: 'A_B_C' }),
        ],
        body: shapes.NewProduct,
        response: { 201: shapes.ProductCreated, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      const item = { ivId: request.body.iv_id, fields: readFields(request.body) };
      return retryCollisions(() =>
        idempotentWrite(request, reply, scope, async (tx) => {
          const [outcome] = await writeProducts(tx, organizationId, 'create', [item], actor, clock.now());
          const { id, iv_id } = getProduct(outcome, item.ivId, shaperFor(request));
          return { status: 201, body: mutationEnvelope(clock, 'Product created', { id, iv_id }) };
        }),
      );
    },
  );

  app.post(
    '/products/bulk',
    {
      bodyLimit: BODY_LIMIT_BYTES.bulk,
      config: {
        access: tenant('import', 'Products', wholeOrganization),
        bulk: { list: 'products', key: 'iv_id', onlyChanges: ({ mode }) => mode === 'update' },
      },
      validatorCompiler: (route) =>
        compileValidator(route.httpPart === 'body' ? { ...route, schema: shapes.BulkFrame } : route),
      schema: {
        tags,
        operationId: 'saveProducts',
        summary: 'Create, update or upsert up to 1000 products; each item succeeds or fails on its own',
        description:
          'The answer is 200 even when all fail: see `failed` and `errors`. Items count as if they came one by one. Needs the import grant.',
        takes: ['idempotency-key'],
        refuses: [tooLarge({ products: `at most ${shapes.MAX_BULK_ITEMS} are taken at once` })],
        body: shapes.BulkBody,
        response: { 200: shapes.BulkAnswer, ...refusals },
      },
    },
    (request, reply) => {
      const { organizationId, scope, actor } = tenantOf(request);
      const { mode, products } = request.body;
      if (products.length > shapes.MAX_BULK_ITEMS) {
        throw tooLarge({ products: `at most ${shapes.MAX_BULK_ITEMS} are taken at once` });
      }
      return retryCollisions(() =>
        idempotentWrite(request, reply, scope, async (tx) => {
          const known = itemFaultsOf(request);
          const faults = await saveProducts(tx, organizationId, mode, products, actor, clock.now(), known);
          const outcome = summarize(products, faults);
          const message = `${outcome.succeeded} of ${products.length} products saved`;
          return { status: 200, body: mutationEnvelope(clock, message, outcome) };
        }),
      );
    },
  );

  app.get(
    '/products/code/:ivId',
    {
      config: { access: tenant('read', 'Products') },
      schema: {
        tags,
        operationId: 'getProduct',
        summary: 'One product',
        description: 'By its iv_id; a deleted one is not found.',
        refuses: [productNotFound('PAIN-9999')],
        answersEtag: true,
        params: shapes.ProductParams,
        response: { 200: shapes.Product, ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId } = tenantOf(request);
      const { ivId } = request.params;
      const product = await findProduct({ organizationId, ivId });
      if (product === undefined) throw productNotFound(ivId);
      reply.header('etag', etagOf(product.updated));
      return shaperFor(request)(product);
    },
  );

  app.put(
    '/products/code/:ivId',
    {
      config: { access: tenant('update', 'Products', wholeOrganization) },
      schema: {
        tags,
        operationId: 'replaceProduct',
        summary: 'Replace a product; fields that are absent return to their defaults',
        description:
          'Send all fields to keep, or use PATCH. iv_id may be left out and cannot change. Images stay: they have their own routes. SKUs without a price of their own get the new price.',
        takes: ['if-match'],
        answersEtag: true,
        refuses: changeRefusals,
        params: shapes.ProductParams,
        body: shapes.ProductReplacement,
        response: { 200: shapes.ProductReplaced, ...refusals },
      },
    },
    (request, reply) => change(request, reply, { ...DEFAULTS, ...readFields(request.body) }),
  );

  app.patch(
    '/products/code/:ivId',
    {
      config: { access: tenant('update', 'Products', wholeOrganization) },
      schema: {
        tags,
        operationId: 'updateProduct',
        summary: 'Change fields of a product; absent fields stay, null sets the default',
        description:
          'Two clients that change different fields do not overwrite each other. iv_id may be left out and cannot change.',
        takes: ['if-match'],
        answersEtag: true,
        refuses: changeRefusals,
        params: shapes.ProductParams,
        body: shapes.ProductChange,
        response: { 200: shapes.ProductReplaced, ...refusals },
      },
    },
    (request, reply) => change(request, reply, readFields(request.body)),
  );

  type ChangeRequest = FastifyRequest & { params: { ivId: string }; body: { iv_id?: string } };
  async function change(request: ChangeRequest, reply: FastifyReply, fields: Partial<ProductFields>) {
    const { organizationId, actor } = tenantOf(request);
    const { ivId } = request.params;
    const given = request.body.iv_id;
    if (given !== undefined && given !== ivId) throw unprocessable({ iv_id: 'cannot be changed' });
    const item = { ivId, fields, ifMatch: request.headers['if-match'] };
    const [outcome] = await retryCollisions(() =>
      inTransaction(sql, (tx) => writeProducts(tx, organizationId, 'update', [item], actor, clock.now())),
    );
    const shape = shaperFor(request);
    const product = getProduct(outcome, ivId, shape);
    reply.header('etag', etagOf(product.updated));
    return mutationEnvelope(clock, 'Product updated', shape(product));
  }

  app.delete(
    '/products/code/:ivId',
    {
      config: { access: tenant('delete', 'Products', wholeOrganization) },
      schema: {
        tags,
        operationId: 'deleteProduct',
        summary: 'Delete a product; refused while it has SKUs, unless forced',
        description:
          'With force=true its SKUs are removed with it. It is kept as deleted, its iv_id and barcode are free again, its images are removed.',
        refuses: [productNotFound('PAIN-9999'), conflict('Product has SKUs', { iv_id: 'PAIN-0001', skus: 6 })],
        params: shapes.ProductParams,
        querystring: shapes.DeleteQuery,
        response: { 204: Type.Null(), ...refusals },
      },
    },
    async (request, reply) => {
      const { organizationId, actor } = tenantOf(request);
      const key = { organizationId, ivId: request.params.ivId };
      const force = request.query.force ?? false;
      const files = await retryCollisions(() =>
        inTransaction(sql, (tx) => deleteProduct(tx, key, { force }, actor, clock.now())),
      );
      await removeUnclaimed(platform, files);
      return reply.code(204).send(null);
    },
  );
}
