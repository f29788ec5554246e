import { addToTotal, TENANT_LOCKS, type Tx } from '../../platform/database/index.ts';
import { type Clash, findOverlaps, refuseBranches, refuseProducts, rivalsOf } from './overlaps.ts';

/**
 * The product x branch matrix. Whoever adds or removes products holds the matrix shared, whoever adds or removes branches
 * holds it alone: products written at the same moment do not wait for each other, and no pair is missed, made twice or
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
 * Which of these new products would spell an SKU iv_id that another pair has already, and which one. Needs the lock
 * above, and comes before the products go in.
 */
export async function findProductClashes(
  tx: Tx,
  organizationId: string,
  productIvIds: readonly string[],
): Promise<Clash[]> {
  const overlaps = findOverlaps(await listBranchIvIds(tx, organizationId));
  if (overlaps.length === 0) return [];
  // Creators of products do not wait for each other, so two of them could each miss the other's half of a clash.
  // Where clashes are possible at all they take turns.
  await tx`select pg_advisory_xact_lock(${TENANT_LOCKS.skuClashes}, hashtext(${organizationId}))`;
  const rivals = new Set(productIvIds.flatMap((ivId) => rivalsOf(ivId, overlaps)));
  const existing = await tx<{ iv_id: string }[]>`
    select iv_id from products
    where organization_id = ${organizationId} and not is_deleted and iv_id = any(${[...rivals]}::text[])`;
  return refuseProducts(productIvIds, overlaps, new Set(existing.map((row) => row.iv_id)));
}

/** The same for new branches. */
export async function findBranchClashes(
  tx: Tx,
  organizationId: string,
  branchIvIds: readonly string[],
): Promise<Clash[]> {
  const existing = await listBranchIvIds(tx, organizationId);
  const added = new Set(branchIvIds);
  const middles = findOverlaps([...existing, ...branchIvIds])
    .filter(({ longer, shorter }) => added.has(longer) || added.has(shorter))
    .map(({ middle }) => middle);
  if (middles.length === 0) return [];
  const products = await tx<{ middle: string; iv_id: string }[]>`
    select wanted.middle, longer.iv_id
    from unnest(${[...new Set(middles)]}::text[]) as wanted (middle)
    cross join lateral (
      select p.iv_id from products p
      where p.organization_id = ${organizationId} and not p.is_deleted
        and right(p.iv_id, length(wanted.middle) + 1) = '_' || wanted.middle
        and exists (
          select from products q
          where q.organization_id = ${organizationId} and not q.is_deleted
            and q.iv_id = left(p.iv_id, -length(wanted.middle) - 1))
      limit 1) longer`;
  return refuseBranches([...added], existing, new Map(products.map((row) => [row.middle, row.iv_id])));
}

async function listBranchIvIds(tx: Tx, organizationId: string): Promise<string[]> {
  const rows = await tx<{ iv_id: string }[]>`select iv_id from branches where organization_id = ${organizationId}`;
  return rows.map((row) => row.iv_id);
}
