import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/demo/random.ts';
import { readTotal } from '../../src/platform/database/index.ts';
import {
  amount,
  call,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../harness/index.ts';

const CLIENTS = 50;
const WRITES_EACH = amount({ usual: 4, long: 8 });

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

type Step = { target: string; body?: unknown };
type Kind = 'products' | 'branches';

/** Each client sends its steps one after the other; all clients run at once. */
async function runClients(shop: TestOrganization, steps: (client: number) => Step[]): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const client = async (index: number) => {
    for (const { target, body } of steps(index)) {
      const { status } = await call(service.baseUrl, target, { token: shop.owner.token, body });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  return statuses;
}

const create = (kind: Kind, ivId: string): Step => ({ target: `POST /${kind}`, body: { iv_id: ivId } });
const remove = (kind: Kind, ivId: string): Step => ({
  target: `DELETE /${kind === 'products' ? 'products/code' : 'branches'}/${ivId}?force=true`,
});

/** Counted in the tables themselves: what is missing, what is doubled and what is left over. */
async function readMatrix(organizationId: string) {
  const [counted] = await service.sql<
    { products: number; branches: number; skus: number; missing: number; leftover: number; misspelt: number }[]
  >`
    with alive as (select id, iv_id from products where organization_id = ${organizationId} and not is_deleted),
    places as (select id, iv_id from branches where organization_id = ${organizationId}),
    pairs as (select a.id as product_id, p.id as branch_id, a.iv_id || '_' || p.iv_id as iv_id from alive a, places p),
    made as (select product_id, branch_id, iv_id from skus where organization_id = ${organizationId})
    select
      (select count(*) from alive) as products,
      (select count(*) from places) as branches,
      (select count(*) from made) as skus,
      (select count(*) from pairs left join made using (product_id, branch_id) where made.iv_id is null) as missing,
      (select count(*) from made left join pairs using (product_id, branch_id) where pairs.iv_id is null) as leftover,
      (select count(*) from made join pairs using (product_id, branch_id) where made.iv_id <> pairs.iv_id) as misspelt`;
  if (counted === undefined) throw new Error('a count came back empty');
  return counted;
}

async function expectWholeMatrix(shop: TestOrganization) {
  const matrix = await readMatrix(shop.id);
  expect(matrix).toMatchObject({ skus: matrix.products * matrix.branches, missing: 0, leftover: 0, misspelt: 0 });
  const totals = await Promise.all(
    ['products', 'branches', 'skus'].map((list) => readTotal(service.sql, shop.id, list)),
  );
  expect(totals).toEqual([matrix.products, matrix.branches, matrix.skus]);
  const listed = await call<{ total_count: number }>(service.baseUrl, 'GET /skus?limit=1', { token: shop.owner.token });
  expect(listed.body.total_count).toBe(matrix.skus);
  return matrix;
}

describe('products and branches written at the same moment by fifty clients', () => {
  it('leave no pair missing or doubled', async () => {
    const shop = await testOrganization(service.sql);
    const random = seededRandom(50);
    // One write in sixteen: a branch meets products all the time, and the matrix stays under 10,000.
    const plan = Array.from({ length: CLIENTS }, () =>
      Array.from({ length: WRITES_EACH }, (): Kind => (random.chance(1 / 16) ? 'branches' : 'products')),
    );
    const statuses = await runClients(shop, (client) =>
      (plan[client] ?? []).map((kind, write) => create(kind, `${kind === 'branches' ? 'B' : 'P'}-${client}-${write}`)),
    );
    expect([...statuses]).toEqual([[201, CLIENTS * WRITES_EACH]]);
    const matrix = await expectWholeMatrix(shop);
    expect(matrix.products).toBe(plan.flat().filter((kind) => kind === 'products').length);
    expect(matrix.branches).toBe(plan.flat().filter((kind) => kind === 'branches').length);
  });

  it('leave none behind when some of them are deleted meanwhile', async () => {
    const shop = await testOrganization(service.sql);
    const random = seededRandom(51);
    const plan = Array.from({ length: CLIENTS }, (_, client) => {
      const alive: Record<Kind, string[]> = { products: [], branches: [] };
      return Array.from({ length: WRITES_EACH }, (_, write): Step => {
        const kind: Kind = random.chance(0.2) ? 'branches' : 'products';
        const oldest = random.chance(0.4) ? alive[kind].shift() : undefined;
        if (oldest !== undefined) return remove(kind, oldest);
        // Names come back: a product or branch that was deleted is made again under the name it had.
        const ivId = `${kind === 'branches' ? 'B' : 'P'}-${client}-${write % 7}`;
        if (alive[kind].includes(ivId)) return remove(kind, alive[kind].splice(alive[kind].indexOf(ivId), 1)[0] ?? '');
        alive[kind].push(ivId);
        return create(kind, ivId);
      });
    });
    const statuses = await runClients(shop, (client) => plan[client] ?? []);
    const creates = plan.flat().filter((step) => step.target.startsWith('POST')).length;
    const removals = plan.flat().length - creates;
    expect(Object.fromEntries(statuses)).toEqual({ 201: creates, 204: removals });
    const matrix = await expectWholeMatrix(shop);
    expect(matrix.products + matrix.branches).toBe(creates - removals);
  });

  it('leave no SKU iv_id spelt twice where every name could clash', async () => {
    const shop = await testOrganization(service.sql);
    const random = seededRandom(52);
    const syllables = ['a', 'b', 'a_b', 'b_a', 'a_a', 'b_b', 'a_b_a', 'b_a_b'];
    const plan = Array.from({ length: CLIENTS }, (_, client) =>
      Array.from({ length: WRITES_EACH }, (_, write) => {
        const kind: Kind = random.chance(0.3) ? 'branches' : 'products';
        const ending = syllables[random.between(0, syllables.length - 1)] ?? 'a';
        return create(kind, kind === 'branches' ? ending : `${(client + write) % 25}_${ending}`);
      }),
    );
    const statuses = await runClients(shop, (client) => plan[client] ?? []);
    expect([...statuses.keys()].toSorted()).toEqual([201, 409]);
    await expectWholeMatrix(shop);
  });
});
