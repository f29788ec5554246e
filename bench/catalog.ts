import { testOrganization } from '../test/harness/accounts.ts';
import { type Branch, insertBranchPlainly, insertProductsPlainly, removeBranches } from './catalog/baseline-inserts.ts';
import { importFile } from './catalog/import-file.ts';
import { madeProduct } from './catalog/made-products.ts';
import { type Case, defineBench } from './frame/define-bench.ts';
import { runLoop } from './frame/run-loop.ts';
import type { BenchService } from './frame/start-service.ts';
import type { Request, RequestMaker } from './load/plan.ts';

const FEW = 1_000;
const MANY = Number(process.env.BENCH_MANY_PRODUCTS ?? 100_000);
const BRANCHES = 5;
const DEEP_PAGE = Math.floor((MANY * 0.9) / 100);

type Shop = { id: string; owner: { token: string } };
type Context = {
  service: BenchService;
  writer: Shop;
  plain: Shop;
  plainBranches: Branch[];
  few: Shop;
  many: Shop;
  get(path: string, shop: Shop): { baseUrl: string; request: Request };
};

/** Batches against the driver, a large catalog against a small one, one product against ping. */
export default defineBench<Context>('catalog', {
  rounds: 5,
  seconds: 2,
  async setup(frame) {
    const service = await frame.startService();
    const { sql, baseUrl } = service;
    const [writer, plain, few, many] = [
      await testOrganization(sql),
      await testOrganization(sql),
      await testOrganization(sql),
      await testOrganization(sql),
    ];
    await importFile(sql, few.id, FEW);
    await importFile(sql, many.id, MANY);
    await sql`vacuum analyze products`;
    await addBranches(baseUrl, writer);
    const plainBranches = await addBranches(baseUrl, plain);
    const get = (path: string, shop: Shop) => ({
      baseUrl,
      request: { path: `/api/v1${path}`, headers: { Authorization: `Bearer ${shop.owner.token}` } },
    });
    return { service, writer, plain, plainBranches, few, many, get };
  },
  cases: [
    {
      name: 'driver: 1,000 products, 5,000 SKUs',
      unitsEach: 1000,
      run: ({ service, plain, plainBranches }, { seconds }) =>
        runLoop({ width: 2, seconds }, () =>
          insertProductsPlainly(service.sql, plain.id, plainBranches, takeNumbers()),
        ),
    },
    {
      name: 'POST /products/bulk, 1,000 each',
      baseline: 'driver: 1,000 products, 5,000 SKUs',
      target: 0.5,
      unitsEach: 1000,
      load: ({ service, writer }, { round }) => ({
        baseUrl: service.baseUrl,
        connections: 2,
        module: import.meta.url,
        maker: 'newProducts',
        params: { token: writer.owner.token, round },
      }),
    },
    {
      name: `driver: SKUs of a branch with ${MANY} products`,
      prepare: ({ service, many }) => removeBranches(service.sql, many.id),
      run: ({ service, many }) => runLoop({ width: 1, seconds: 0 }, () => insertBranchPlainly(service.sql, many.id)),
    },
    {
      name: `POST /branches with ${MANY} products`,
      baseline: `driver: SKUs of a branch with ${MANY} products`,
      target: 0.7,
      prepare: ({ service, many }) => removeBranches(service.sql, many.id),
      run: ({ service, many }) =>
        runLoop({ width: 1, seconds: 0 }, () => post(service.baseUrl, many, '/branches', { iv_id: 'bench' })),
    },
    { name: `GET /products, ${FEW} products`, load: ({ get, few }) => get('/products', few) },
    {
      name: `GET /products, ${MANY} products`,
      baseline: `GET /products, ${FEW} products`,
      target: 0.7,
      load: ({ get, many }) => get('/products', many),
    },
    {
      name: `GET /products, page ${DEEP_PAGE} of 100 each`,
      baseline: `GET /products, ${FEW} products`,
      target: 0.1,
      load: ({ get, many }) => get(`/products?limit=100&page=${DEEP_PAGE}`, many),
    },
    ...searches(),
    { name: 'GET /ping', load: ({ service }) => ({ baseUrl: service.baseUrl, request: { path: '/api/v1/ping' } }) },
    {
      name: 'GET /products/code/{ivId}',
      baseline: 'GET /ping',
      target: 0.35,
      load: ({ service, many }) => ({
        baseUrl: service.baseUrl,
        module: import.meta.url,
        maker: 'anyProduct',
        params: { token: many.owner.token },
      }),
    },
  ],
});

/** One in ten, one in a hundred, and one alone; the names of the many are those of the few. */
function searches(): Case<Context>[] {
  const searched = ['panadol', 'بنادول', 'bayer panadol', 'p-0000777'];
  return searched.flatMap((search) => {
    const path = `/products?search=${encodeURIComponent(search)}`;
    const name = (count: number) => `?search=${search}, ${count} products`;
    return [
      { name: name(FEW), load: ({ get, few }) => get(path, few) },
      { name: name(MANY), baseline: name(FEW), target: 0.3, load: ({ get, many }) => get(path, many) },
    ];
  });
}

async function post(baseUrl: string, shop: Shop, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${shop.owner.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  const { data } = (await response.json()) as { data: { id: string } };
  return data;
}

async function addBranches(baseUrl: string, shop: Shop): Promise<Branch[]> {
  const branches: Branch[] = [];
  for (let number = 0; number < BRANCHES; number += 1) {
    const ivId = `RUH-${number}`;
    branches.push({ ivId, id: (await post(baseUrl, shop, '/branches', { iv_id: ivId })).id });
  }
  return branches;
}

let numbers = 0;
function takeNumbers(): number {
  numbers += 1000;
  return numbers;
}

type Params = { token: string; round: number };
const headers = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` });

/** Each round in a range of its own: the maker starts anew every time. */
export const newProducts: RequestMaker<Params> = (params) => {
  let batches = 0;
  return () => {
    batches += 1;
    const first = (params.round * 1000 + batches) * 1000;
    const products = Array.from({ length: 1000 }, (_, index) => madeProduct(first + index, 'B'));
    return {
      method: 'POST',
      path: '/api/v1/products/bulk',
      headers: headers(params),
      body: { mode: 'create', products },
    };
  };
};

export const anyProduct: RequestMaker<{ token: string }> = (params) => {
  let asked = 0;
  return () => {
    asked += 1;
    return { path: `/api/v1/products/code/${madeProduct((asked * 7919) % MANY).iv_id}`, headers: headers(params) };
  };
};
