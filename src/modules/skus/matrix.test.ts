import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase, testOrganization } from '../../../test/harness/index.ts';
import { inTransaction, readTotal, type Sql } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids.ts';
import { findBranchClashes, findProductClashes } from './find-clashes.ts';
import * as matrix from './sql/matrix.ts';
import { seedCatalog } from './testing/catalog.ts';

let sql: Sql;
beforeAll(async () => {
  sql = (await testDatabase()).sql;
});

async function skuIvIds(organizationId: string): Promise<string[]> {
  const rows = await sql<{ iv_id: string }[]>`
    select iv_id from skus where organization_id = ${organizationId} order by iv_id collate "C"`;
  return rows.map((row) => row.iv_id);
}

async function addProduct(organizationId: string, ivId: string): Promise<string> {
  const id = newId();
  await sql`
    insert into products (organization_id, id, iv_id, created, updated)
    values (${organizationId}, ${id}, ${ivId}, now(), now())`;
  return id;
}

async function waitsForLock(): Promise<void> {
  for (;;) {
    const waiting = await sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
    if (waiting.length > 0) return;
  }
}

describe('making and removing pairs', () => {
  it('gives a new branch every product that is not deleted', async () => {
    const { id } = await testOrganization(sql);
    const gone = await addProduct(id, 'gone');
    await sql`update products set is_deleted = true where organization_id = ${id} and id = ${gone}`;
    await seedCatalog(sql, id, { products: [{ iv_id: 'p1' }, { iv_id: 'p2' }], branches: ['b1', 'b2'] });
    expect(await skuIvIds(id)).toEqual(['p1_b1', 'p1_b2', 'p2_b1', 'p2_b2']);
    expect(await readTotal(sql, id, 'skus')).toBe(4);
  });

  it('gives new products every branch of their own organization', async () => {
    const { id } = await testOrganization(sql);
    const other = await testOrganization(sql);
    await seedCatalog(sql, other.id, { products: [{ iv_id: 'x' }], branches: ['theirs'] });
    await seedCatalog(sql, id, { products: [], branches: ['b1', 'b2', 'b3'] });
    const productId = await addProduct(id, 'p1');
    const made = await inTransaction(sql, async (tx) => {
      await matrix.lockMatrixForProducts(tx, id);
      return matrix.generateForProducts(tx, id, [productId], new Date());
    });
    expect(made).toBe(3);
    expect(await skuIvIds(id)).toEqual(['p1_b1', 'p1_b2', 'p1_b3']);
    expect(await skuIvIds(other.id)).toEqual(['x_theirs']);
  });

  it('removes and counts by product and by branch, and the total follows', async () => {
    const { id } = await testOrganization(sql);
    const { productIds, branchIds } = await seedCatalog(sql, id, {
      products: [{ iv_id: 'p1' }, { iv_id: 'p2' }, { iv_id: 'p3' }],
      branches: ['b1', 'b2'],
    });
    const p1 = productIds.get('p1') ?? '';
    const b1 = branchIds.get('b1') ?? '';
    await inTransaction(sql, async (tx) => {
      expect(await matrix.countOfProduct(tx, id, p1)).toBe(2);
      expect(await matrix.countOfBranch(tx, id, b1)).toBe(3);
      expect(await matrix.removeOfProducts(tx, id, [p1])).toBe(2);
      expect(await matrix.removeOfBranch(tx, id, b1)).toBe(2);
      expect(await matrix.countOfProduct(tx, id, p1)).toBe(0);
    });
    expect(await skuIvIds(id)).toEqual(['p2_b2', 'p3_b2']);
    expect(await readTotal(sql, id, 'skus')).toBe(2);
  });

  it('takes the total back with the rows when the transaction fails', async () => {
    const { id } = await testOrganization(sql);
    const { productIds } = await seedCatalog(sql, id, { products: [{ iv_id: 'p1' }], branches: ['b1'] });
    const attempt = inTransaction(sql, async (tx) => {
      await matrix.removeOfProducts(tx, id, [...productIds.values()]);
      throw new Error('changed my mind');
    });
    await expect(attempt).rejects.toThrow('changed my mind');
    expect(await readTotal(sql, id, 'skus')).toBe(1);
    expect(await skuIvIds(id)).toEqual(['p1_b1']);
  });

  it('cannot pair across organizations', async () => {
    const { id } = await testOrganization(sql);
    const other = await testOrganization(sql);
    const { productIds } = await seedCatalog(sql, id, { products: [{ iv_id: 'p1' }], branches: ['b1'] });
    const theirs = await seedCatalog(sql, other.id, { products: [], branches: ['b1'] });
    const attempt = sql`
      insert into skus (organization_id, product_id, branch_id, id, iv_id, created, updated)
      values (${id}, ${productIds.get('p1') ?? ''}, ${theirs.branchIds.get('b1') ?? ''}, ${randomUUID()}, 'x', now(), now())`;
    await expect(attempt).rejects.toThrow('skus_branch');
  });
});

describe('clashes', () => {
  it('finds a product against the products that are there, in either direction', async () => {
    const { id } = await testOrganization(sql);
    await seedCatalog(sql, id, { products: [{ iv_id: 'a' }, { iv_id: 'k_b' }], branches: ['c', 'b_c'] });
    const clashes = await inTransaction(sql, (tx) => findProductClashes(tx, id, ['a_b', 'k', 'a_c', 'z_b']));
    expect(clashes).toEqual([
      { newIvId: 'a_b', skuIvId: 'a_b_c' },
      { newIvId: 'k', skuIvId: 'k_b_c' },
    ]);
  });

  it('finds products against each other and leaves the first', async () => {
    const { id } = await testOrganization(sql);
    await seedCatalog(sql, id, { products: [], branches: ['c', 'b_c'] });
    const clashes = await inTransaction(sql, (tx) => findProductClashes(tx, id, ['a', 'a_b', 'm_b', 'm']));
    expect(clashes).toEqual([
      { newIvId: 'a_b', skuIvId: 'a_b_c' },
      { newIvId: 'm', skuIvId: 'm_b_c' },
    ]);
  });

  it('finds branches against those that are there and against each other', async () => {
    const { id } = await testOrganization(sql);
    await seedCatalog(sql, id, { products: [{ iv_id: 'a' }, { iv_id: 'a_b' }], branches: ['c'] });
    const clashes = await inTransaction(sql, (tx) => findBranchClashes(tx, id, ['b_c', 'x', 'b_x', 'y_x']));
    expect(clashes).toEqual([
      { newIvId: 'b_c', skuIvId: 'a_b_c' },
      { newIvId: 'b_x', skuIvId: 'a_b_x' },
    ]);
  });

  it('overlooks deleted products', async () => {
    const { id } = await testOrganization(sql);
    const { productIds } = await seedCatalog(sql, id, { products: [{ iv_id: 'a' }], branches: ['c', 'b_c'] });
    await inTransaction(sql, async (tx) => {
      await matrix.removeOfProducts(tx, id, [...productIds.values()]);
      await tx`update products set is_deleted = true where organization_id = ${id}`;
      expect(await findProductClashes(tx, id, ['a_b'])).toEqual([]);
    });
  });

  it('is seen by the second of two transactions that hold the matrix together', async () => {
    const { id } = await testOrganization(sql);
    await seedCatalog(sql, id, { products: [], branches: ['c', 'b_c'] });
    const create = (ivId: string, reached?: () => void, proceed?: Promise<void>) =>
      inTransaction(sql, async (tx) => {
        await matrix.lockMatrixForProducts(tx, id);
        const clashes = await findProductClashes(tx, id, [ivId]);
        reached?.();
        await proceed;
        if (clashes.length > 0) return clashes;
        const productId = newId();
        await tx`
          insert into products (organization_id, id, iv_id, created, updated)
          values (${id}, ${productId}, ${ivId}, now(), now())`;
        await matrix.generateForProducts(tx, id, [productId], new Date());
        return [];
      });
    const checked = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    const first = create('a', checked.resolve, proceed.promise);
    await checked.promise;
    const second = create('a_b');
    await waitsForLock();
    proceed.resolve();
    expect(await first).toEqual([]);
    expect(await second).toEqual([{ newIvId: 'a_b', skuIvId: 'a_b_c' }]);
  });
});

describe('the lock', () => {
  it('lets writers of products run together and makes a writer of branches wait', async () => {
    const { id } = await testOrganization(sql);
    const order: string[] = [];
    const proceed = Promise.withResolvers<void>();
    const bothIn = Promise.withResolvers<void>();
    let inside = 0;
    const product = () =>
      inTransaction(sql, async (tx) => {
        await matrix.lockMatrixForProducts(tx, id);
        inside += 1;
        if (inside === 2) bothIn.resolve();
        await proceed.promise;
        order.push('product');
      });
    const products = [product(), product()];
    await bothIn.promise;
    const branch = inTransaction(sql, async (tx) => {
      await matrix.lockMatrixForBranches(tx, id);
      order.push('branch');
    });
    await waitsForLock();
    proceed.resolve();
    await Promise.all([...products, branch]);
    expect(order).toEqual(['product', 'product', 'branch']);
  });
});
