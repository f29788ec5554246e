import { readTotal, type Sql } from '../../platform/database/index.ts';
import { type Paging, readPaging, readSort } from '../../platform/http/paging.ts';
import { notFound } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { likePattern } from '../../platform/text/folding.ts';
import type { Tenant } from '../identity/index.ts';
import { foldCustomerSearch } from './identity.ts';
import type { CustomerQueryShape } from './schema.ts';
import {
  type CustomerFamily,
  type CustomerRow,
  countCustomers,
  findCustomer,
  listCustomers,
  SORT_COLUMNS,
  totalsList,
} from './sql/customers.ts';
import { TENANT_FAMILY } from './sql/spending.ts';

export type FoundCustomers = { rows: CustomerRow[]; total: number; paging: Paging };

export async function findCustomers(sql: Sql, tenant: Tenant, query: CustomerQueryShape): Promise<FoundCustomers> {
  const family = familyOf(tenant);
  const paging = readPaging(query);
  const sort = readSort(query.sort, SORT_COLUMNS, { column: 'last_order_at', descending: true });
  const folded = foldCustomerSearch(query.search ?? '');
  const pattern = folded === '' ? undefined : likePattern(folded);
  const [rows, total] = await Promise.all([
    listCustomers(sql, family, pattern, sort, paging),
    pattern === undefined
      ? readTotal(sql, family.organizationId, totalsList(family.branchId))
      : countCustomers(sql, family, pattern),
  ]);
  return { rows, total, paging };
}

export async function getCustomer(sql: Sql, tenant: Tenant, id: string): Promise<CustomerRow> {
  const row = isId(id) ? await findCustomer(sql, familyOf(tenant), id) : undefined;
  if (row === undefined) throw notFound('Customer not found', { id });
  return row;
}

/** An account confined to a branch sees who bought there, with what they bought there and nothing else. */
function familyOf({ organizationId, branchId }: Tenant): CustomerFamily {
  return { organizationId, branchId: branchId ?? TENANT_FAMILY };
}
