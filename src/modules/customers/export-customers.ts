import { type ExportedColumn, exportRows, MAX_EXPORT_ROWS } from '../../platform/csv/index.ts';
import type { Sql } from '../../platform/database/index.ts';
import type { Tenant } from '../identity/index.ts';
import { slow } from '../orders/index.ts';
import { customerQuery } from './customer-search.ts';
import { readCustomerSort, scopeOf, spentBy } from './find-customers.ts';
import { type CustomerRow, findCustomersByIds, listCustomerIds } from './sql/customers.ts';

const COLUMNS: readonly ExportedColumn<CustomerRow>[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['phone', ({ phone }) => phone],
  ['email', ({ email }) => email],
  ['orders', ({ orders }) => orders],
  ['spent', spentBy],
  ['currency', ({ currency }) => currency],
  ['first_order_at', ({ first_order_at }) => first_order_at.toISOString()],
  ['last_order_at', ({ last_order_at }) => last_order_at.toISOString()],
];

/** One statement selects and sorts, so each customer appears once and whether there are more is known before the first row. */
export async function exportCustomers(sql: Sql, tenant: Tenant, query: { search?: string; sort?: string }) {
  const scope = scopeOf(tenant);
  const sort = readCustomerSort(query.sort);
  const search = customerQuery(scope, query.search ?? '', tenant.timeZone);
  const ids = await listCustomerIds(slow(sql), scope, search, sort, MAX_EXPORT_ROWS + 1);
  return exportRows({ columns: COLUMNS, ids, readRows: (wanted) => findCustomersByIds(sql, scope, wanted) });
}
