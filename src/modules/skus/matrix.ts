import { addToTotal, type Tx } from '../../platform/database/index.ts';

/**
 * The product x branch matrix. Whoever adds products holds the matrix shared, whoever adds or removes branches holds it
 * alone: products created at the same moment do not wait for each other, and no pair is missed or made twice, because
 * each side reads the other's rows only after it has the lock.
 *
 * An SKU's id is the MD5 of its pair as a uuid: the whole matrix of a new branch is one `insert ... select` with no
 * random values in it, and a pair that comes back has the id it had.
 */

const MATRIX_LOCK = 7_201;

export async function lockMatrixForProducts(tx: Tx, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${MATRIX_LOCK}, hashtext(${organizationId}))`;
}

export async function lockMatrixForBranches(tx: Tx, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${MATRIX_LOCK}, hashtext(${organizationId}))`;
}

/** One SKU for each of these products in every branch. Needs the lock above. Returns how many. */
export async function generateForProducts(
  tx: Tx,
  organizationId: string,
  productIds: string[],
  now: Date,
): Promise<number> {
  const made = await tx`
    insert into skus (organization_id, product_id, branch_id, id, iv_id, created, updated)
    select p.organization_id, p.id, b.id, md5(p.id::text || b.id::text)::uuid, p.iv_id || '_' || b.iv_id, ${now}, ${now}
    from products p join branches b on b.organization_id = p.organization_id
    where p.organization_id = ${organizationId} and p.id = any(${productIds}::uuid[])`;
  await addToTotal(tx, organizationId, 'skus', made.count);
  return made.count;
}

/** One SKU for every product in each of these branches. Needs the lock above. Returns how many. */
export async function generateForBranches(
  tx: Tx,
  organizationId: string,
  branchIds: string[],
  now: Date,
): Promise<number> {
  const made = await tx`
    insert into skus (organization_id, product_id, branch_id, id, iv_id, created, updated)
    select p.organization_id, p.id, b.id, md5(p.id::text || b.id::text)::uuid, p.iv_id || '_' || b.iv_id, ${now}, ${now}
    from branches b join products p on p.organization_id = b.organization_id and not p.is_deleted
    where b.organization_id = ${organizationId} and b.id = any(${branchIds}::uuid[])`;
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

export type Clash = { newIvId: string; skuIvId: string };

/**
 * Pairs that would spell an SKU iv_id which another pair has already (`a_b` + `c` and `a` + `b_c`). Only a pair with an
 * underscore inside can: without one, the text splits in a single place.
 */
export function findProductClashes(tx: Tx, organizationId: string, productIvIds: string[]): Promise<Clash[]> {
  return tx<Clash[]>`
    select new.iv_id as "newIvId", s.iv_id as "skuIvId"
    from unnest(${productIvIds}::text[]) as new (iv_id)
    join branches b on b.organization_id = ${organizationId} and (new.iv_id like '%\\_%' or b.iv_id like '%\\_%')
    join skus s on s.organization_id = ${organizationId} and s.iv_id = new.iv_id || '_' || b.iv_id`;
}

export function findBranchClashes(tx: Tx, organizationId: string, branchIvIds: string[]): Promise<Clash[]> {
  return tx<Clash[]>`
    select new.iv_id as "newIvId", s.iv_id as "skuIvId"
    from unnest(${branchIvIds}::text[]) as new (iv_id)
    join products p on p.organization_id = ${organizationId} and not p.is_deleted
      and (new.iv_id like '%\\_%' or p.iv_id like '%\\_%')
    join skus s on s.organization_id = ${organizationId} and s.iv_id = p.iv_id || '_' || new.iv_id`;
}
