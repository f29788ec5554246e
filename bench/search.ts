import { testOrganization } from '../test/harness/accounts.ts';
import { defineBench } from './frame/define-bench.ts';
import type { RequestMaker } from './load/plan.ts';
import { filled, fillOrders, withoutIndexes } from './orders/fill.ts';

const HISTORY = Number(process.env.BENCH_LARGE_HISTORY ?? 1_000_000);
const CALLERS = 32;

type Params = { token: string; texts: string[] };

/** Order search in a long history, by 32 callers, against the read of one order. Every request looks for another order. */
export default defineBench('search', {
  rounds: 5,
  seconds: 2,
  async setup(frame) {
    const service = await frame.startService();
    const { sql } = service;
    const shop = await testOrganization(sql);
    await withoutIndexes(sql, () => fillOrders(sql, shop.id, HISTORY));
    // Spread over the history, and never the same one twice in a row.
    const numbers = Array.from({ length: 2_000 }, (_, at) => 1 + ((at * 7_919_711) % HISTORY));
    const rows = await sql<{ n: number; id: string; created_at: Date }[]>`
      select k.n, o.id, o.created_at from unnest(${numbers}::int[]) as k (n)
      join orders o on o.organization_id = ${shop.id} and o.source_transaction_id = 'fill-' || lpad(k.n::text, 8, '0')`;
    const search = (textOf: (row: (typeof rows)[number]) => string) => ({
      baseUrl: service.baseUrl,
      connections: CALLERS,
      module: import.meta.url,
      maker: 'searches',
      params: { token: shop.owner.token, texts: rows.map(textOf) } satisfies Params,
    });
    const ids = { token: shop.owner.token, texts: rows.map((row) => row.id) };
    const byId = {
      baseUrl: service.baseUrl,
      connections: CALLERS,
      module: import.meta.url,
      maker: 'reads',
      params: ids,
    };
    return { search, byId };
  },
  cases: [
    { name: 'GET /orders/{id}', load: ({ byId }) => byId },
    {
      name: 'search: order number',
      baseline: 'GET /orders/{id}',
      target: 0.5,
      load: ({ search }) => search(({ n, created_at }) => filled.code(n, created_at)),
    },
    {
      name: 'search: last six of the order number',
      baseline: 'GET /orders/{id}',
      target: 0.3,
      load: ({ search }) => search(({ n, created_at }) => filled.code(n, created_at).slice(-6)),
    },
    {
      name: 'search: source transaction',
      baseline: 'GET /orders/{id}',
      target: 0.5,
      load: ({ search }) => search(({ n }) => filled.transaction(n)),
    },
    {
      name: 'search: telephone number',
      baseline: 'GET /orders/{id}',
      target: 0.5,
      load: ({ search }) => search(({ n }) => filled.phone(n)),
    },
    {
      name: 'search: two words, 20 orders',
      baseline: 'GET /orders/{id}',
      target: 0.06,
      load: ({ search }) => search(({ n }) => filled.name(n)),
    },
  ],
});

export const searches: RequestMaker<Params> = ({ token, texts }) => {
  let made = 0;
  return () => {
    made += 1;
    return {
      path: `/api/v1/orders?search=${encodeURIComponent(texts[made % texts.length] ?? '')}`,
      headers: { Authorization: `Bearer ${token}` },
    };
  };
};

export const reads: RequestMaker<Params> = ({ token, texts }) => {
  let made = 0;
  return () => {
    made += 1;
    return { path: `/api/v1/orders/${texts[made % texts.length]}`, headers: { Authorization: `Bearer ${token}` } };
  };
};
