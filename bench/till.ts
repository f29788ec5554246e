import { seedCatalog } from '../src/modules/skus/testing/catalog.ts';
import { testOrganization } from '../test/harness/accounts.ts';
import { defineBench } from './frame/define-bench.ts';
import type { LoadPlan } from './load/plan.ts';
import type { TillParams } from './till/requests.ts';

const TILLS = 10;
const ARTICLES = 100;
const STOCK = 1_000_000_000;
const BRANCH = 'RUH-1';

type Context = { baseUrl: string; token: string; skuIvIds: string[] };

/** Ten tills of one branch. The stock of an article is one row, which a sale locks: how much that costs when all sell the same one. */
export default defineBench<Context>('till', {
  rounds: 5,
  seconds: 4,
  async setup(frame) {
    const { sql, baseUrl } = await frame.startService();
    const { id, owner } = await testOrganization(sql);
    const products = Array.from({ length: ARTICLES }, (_, index) => ({
      iv_id: `ARTICLE-${index}`,
      name_en: `Article ${index}`,
      average_price: 6,
    }));
    await seedCatalog(sql, id, { products, branches: [BRANCH] });
    await sql`update organizations set vat_number = '300000000000003' where id = ${id}`;
    await sql`update skus set current_qty = ${STOCK} where organization_id = ${id}`;
    const skus = await sql<{ iv_id: string }[]>`select iv_id from skus where organization_id = ${id} order by iv_id`;
    return { baseUrl, token: owner.token, skuIvIds: skus.map((sku) => sku.iv_id) };
  },
  cases: [
    { name: 'sales of 100 articles', load: (context) => planOf(context, context.skuIvIds) },
    {
      name: 'sales of the same article',
      baseline: 'sales of 100 articles',
      target: 0.7,
      load: (context) => planOf(context, context.skuIvIds.slice(0, 1)),
    },
  ],
});

function planOf({ baseUrl, token }: Context, skuIvIds: string[]): LoadPlan {
  const params: TillParams = { token, branchIvId: BRANCH, skuIvIds };
  return {
    baseUrl,
    connections: TILLS,
    expect: [201],
    module: new URL('./till/requests.ts', import.meta.url).href,
    maker: 'tillSales',
    params,
  };
}
