import { searchTextOf } from '../../src/modules/products/product.ts';
import { inTransaction, type Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { madeProduct } from './made-products.ts';

export type Branch = { id: string; ivId: string };

/** The rows of 1,000 products and their SKUs as the driver alone would write them: two statements, one transaction. */
export async function insertProductsPlainly(
  sql: Sql,
  organizationId: string,
  branches: readonly Branch[],
  firstNumber: number,
): Promise<void> {
  const now = new Date();
  const products = Array.from({ length: 1000 }, (_, index) => {
    const made = { ...madeProduct(firstNumber + index, 'F'), id: newId() };
    const whole = {
      brand_id: null,
      category_id: null,
      generic_id: '',
      is_enabled: true,
      images: [],
      created: now,
      updated: now,
    };
    return { ...made, search_text: searchTextOf({ ...made, ...whole }) };
  });
  const skus = products.flatMap((product) =>
    branches.map((branch) => ({ product: product.id, branch: branch.id, ivId: `${product.iv_id}_${branch.ivId}` })),
  );
  await inTransaction(sql, async (tx) => {
    await tx`
      insert into products (organization_id, id, iv_id, name_en, name_ar, average_price, vat_value, barcode, search_text,
        created, updated)
      select ${organizationId}, new.*, ${now}, ${now}
      from unnest(
        ${products.map((row) => row.id)}::uuid[], ${products.map((row) => row.iv_id)}::text[],
        ${products.map((row) => row.name_en)}::text[], ${products.map((row) => row.name_ar)}::text[],
        ${products.map((row) => row.average_price)}::numeric[], ${products.map((row) => row.vat_value)}::numeric[],
        ${products.map((row) => row.barcode)}::text[], ${products.map((row) => row.search_text)}::text[]) as new`;
    await tx`
      insert into skus (organization_id, product_id, branch_id, id, iv_id, created, updated)
      select ${organizationId}, new.*, ${now}, ${now}
      from unnest(
        ${skus.map((row) => row.product)}::uuid[], ${skus.map((row) => row.branch)}::uuid[],
        ${skus.map(() => newId())}::uuid[], ${skus.map((row) => row.ivId)}::text[]) as new`;
  });
}

/** The SKUs of a new branch and nothing else, undone at once so that every round finds the same table. */
export async function insertBranchPlainly(sql: Sql, organizationId: string): Promise<void> {
  const now = new Date();
  const id = newId();
  const ivId = `baseline-${id}`;
  await sql`
    insert into branches (organization_id, id, iv_id, created, updated) values (${organizationId}, ${id}, ${ivId}, ${now}, ${now})`;
  await sql`
    insert into skus (organization_id, product_id, branch_id, id, iv_id, created, updated)
    select organization_id, id, ${id}::uuid, md5(id::text || ${id}::text)::uuid, iv_id || '_' || ${ivId}, ${now}, ${now}
    from products where organization_id = ${organizationId} and not is_deleted`;
}

/** Takes all branches and SKUs of the organization away again, counts included. */
export async function removeBranches(sql: Sql, organizationId: string): Promise<void> {
  await sql`delete from skus where organization_id = ${organizationId}`;
  await sql`delete from branches where organization_id = ${organizationId}`;
  await sql`delete from list_totals where organization_id = ${organizationId} and list in ('skus', 'branches')`;
  await sql`vacuum skus`;
}
