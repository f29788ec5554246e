import { readTotal, type Sql } from '../../platform/database/index.ts';
import { offsetOf, type Paging, readPaging, readSort } from '../../platform/http/paging.ts';
import { notFound } from '../../platform/http/problem.ts';
import { isId } from '../../platform/ids.ts';
import { decimal, roundToCurrency, toNumber } from '../../platform/money.ts';
import type { Tenant } from '../identity/index.ts';
import { MAX_QUICK_ROWS, slow } from '../orders/index.ts';
import { customerQuery } from './customer-search.ts';
import type { CustomerQueryShape } from './schema.ts';
import {
  type CustomerRow,
  type CustomerScope,
  type CustomerSort,
  countCustomers,
  findCustomer,
  listCustomers,
  SORT_COLUMNS,
  totalsList,
} from './sql/customers.ts';
import { WHOLE_TENANT } from './sql/spending.ts';

export type FoundCustomers = { rows: CustomerRow[]; total: number; paging: Paging };

/** The only sort with an index: a further index would be updated with every order. */
const INDEXED_SORT = 'last_order_at';

export async function findCustomers(sql: Sql, tenant: Tenant, query: CustomerQueryShape): Promise<FoundCustomers> {
  const scope = scopeOf(tenant);
  const paging = readPaging(query);
  const sort = readCustomerSort(query.sort);
  const search = customerQuery(scope, query.search ?? '', tenant.timeZone);
  if (search !== undefined) {
    const total = await countCustomers(slow(sql), scope, search);
    const rows = offsetOf(paging) >= total ? [] : await listCustomers(slow(sql), scope, search, sort, paging);
    return { rows, total, paging };
  }
  const total = await readTotal(sql, scope.organizationId, totalsList(scope.branchId));
  if (offsetOf(paging) >= total) return { rows: [], total, paging };
  const steps = sort.column === INDEXED_SORT ? offsetOf(paging) : total;
  const reader = steps > MAX_QUICK_ROWS ? slow(sql) : sql;
  return { rows: await listCustomers(reader, scope, undefined, sort, paging), total, paging };
}

export function readCustomerSort(sort: string | undefined): CustomerSort {
  return readSort(sort, SORT_COLUMNS, { column: INDEXED_SORT, descending: true });
}

export async function getCustomer(sql: Sql, tenant: Tenant, id: string): Promise<CustomerRow> {
  const row = isId(id) ? await findCustomer(sql, scopeOf(tenant), id) : undefined;
  if (row === undefined) throw customerNotFound(id);
  return row;
}

/** Stored as the exact sum, so that an order that goes takes away what it brought; shown with the digits of the currency. */
export function spentBy({ spent, currency }: Pick<CustomerRow, 'spent' | 'currency'>): number {
  return toNumber(roundToCurrency(decimal(spent), currency));
}

export const customerNotFound = (id: string) => notFound('Customer not found', { id });

/** An account that is confined to a branch sees the customers of that branch, with their orders there. */
export function scopeOf({ organizationId, branchId }: Tenant): CustomerScope {
  return { organizationId, branchId: branchId ?? WHOLE_TENANT };
}
