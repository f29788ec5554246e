import { addToTotal, TENANT_LOCKS, type Tx } from '../../../platform/database/index.ts';

/**
 * The product x branch matrix. Writers of products hold the matrix lock shared, writers of branches
 * hold it exclusively: products written at the same moment do not wait for each other, and no pair is missed, made twice or
 * left behind, because each side reads the other's rows only after it has the lock.
 *
 * An SKU's id is the MD5 of its pair as a uuid: the whole matrix of a new branch is one `insert ... select` with no
 * random values in it, and a pair that comes back has the id it had.
 */

export async function lockMatrixForProducts(tx: Tx, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${TENANT_LOCKS.skuMatrix}, hashtext(${organizationId}))`;
}

export async function lockMatrixForBranches(tx: Tx, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${TENANT_LOCKS.skuMatrix}, hashtext(${organizationId}))`;
}

/** One SKU for each of these products in every branch. Needs the lock above. Returns how many. */
export async function generateForProducts(
  tx: Tx,
  organizationId: string,
  productIds: string[],
  now: Date,
): Promise<number> {
  return generate(tx, organizationId, pairsOfProducts(tx, organizationId, productIds), now);
}

/** One SKU for every product in each of these branches. Needs the lock above. Returns how many. */
export async function generateForBranches(
  tx: Tx,
  organizationId: string,
  branchIds: string[],
  now: Date,
): Promise<number> {
  return generate(tx, organizationId, pairsOfBranches(tx, organizationId, branchIds), now);
}

const pairsOfProducts = (tx: Tx, organizationId: string, productIds: string[]) => tx`
  products p join branches b on b.organization_id = p.organization_id
  where p.organization_id = ${organizationId} and p.id = any(${productIds}::uuid[])`;

const pairsOfBranches = (tx: Tx, organizationId: string, branchIds: string[]) => tx`
  branches b join products p on p.organization_id = b.organization_id and not p.is_deleted
  where b.organization_id = ${organizationId} and b.id = any(${branchIds}::uuid[])`;

type Pairs = ReturnType<typeof pairsOfProducts>;

async function generate(tx: Tx, organizationId: string, pairs: Pairs, now: Date): Promise<number> {
  const made = await tx`
    insert into skus (organization_id, product_id, branch_id, id, iv_id, created, updated)
    select p.organization_id, p.id, b.id, md5(p.id::text || b.id::text)::uuid, p.iv_id || '_' || b.iv_id, ${now}, ${now}
    from ${pairs}`;
  await addToTotal(tx, organizationId, 'skus', made.count);
  return made.count;
}

export async function removeOfProducts(tx: Tx, organizationId: string, productIds: string[]): Promise<number> {
  const removed = await tx`
    delete from skus where organization_id = ${organizationId} and product_id = any(${productIds}::uuid[])`;
  await addToTotal(tx, organizationId, 'skus', -removed.count);
  return removed.count;
}

export async function removeOfBranch(tx: Tx, organizationId: string, branchId: string): Promise<number> {
  const removed = await tx`delete from skus where organization_id = ${organizationId} and branch_id = ${branchId}`;
  await addToTotal(tx, organizationId, 'skus', -removed.count);
  return removed.count;
}

export async function countOfProduct(tx: Tx, organizationId: string, productId: string): Promise<number> {
  const [row] = await tx<{ skus: number }[]>`
    select count(*) as skus from skus where organization_id = ${organizationId} and product_id = ${productId}`;
  return row?.skus ?? 0;
}

export async function countOfBranch(tx: Tx, organizationId: string, branchId: string): Promise<number> {
  const [row] = await tx<{ skus: number }[]>`
    select count(*) as skus from skus where organization_id = ${organizationId} and branch_id = ${branchId}`;
  return row?.skus ?? 0;
}

/**
 * Creators of products do not wait for each other, so two of them could each miss the other's half of a clash. Where clashes are
 * possible they take turns.
 */
export async function lockClashes(tx: Tx, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${TENANT_LOCKS.skuClashes}, hashtext(${organizationId}))`;
}

export async function listProductIvIdsAmong(
  tx: Tx,
  organizationId: string,
  ivIds: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ iv_id: string }[]>`
    select iv_id from products
    where organization_id = ${organizationId} and not is_deleted and iv_id = any(${[...ivIds]}::text[])`;
  return rows.map((row) => row.iv_id);
}

/** For each of these middles a product `<shorter>_<middle>` whose shorter half is a product as well. */
export async function listProductsEndingIn(
  tx: Tx,
  organizationId: string,
  middles: readonly string[],
): Promise<{ middle: string; iv_id: string }[]> {
  return tx<{ middle: string; iv_id: string }[]>`
    select wanted.middle, longer.iv_id
    from unnest(${[...middles]}::text[]) as wanted (middle)
    cross join lateral (
      select p.iv_id from products p
      where p.organization_id = ${organizationId} and not p.is_deleted
        and right(p.iv_id, length(wanted.middle) + 1) = '_' || wanted.middle
        and exists (
          select from products q
          where q.organization_id = ${organizationId} and not q.is_deleted
            and q.iv_id = left(p.iv_id, -length(wanted.middle) - 1))
      limit 1) longer`;
}

export async function listBranchIvIds(tx: Tx, organizationId: string): Promise<string[]> {
  const rows = await tx<{ iv_id: string }[]>`select iv_id from branches where organization_id = ${organizationId}`;
  return rows.map((row) => row.iv_id);
}
