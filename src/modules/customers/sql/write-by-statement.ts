import { insertValues, replacingBy, type Tx } from '../../../platform/database/index.ts';
import type { CustomerKey } from './spending.ts';

export type WrittenCustomer = CustomerKey & {
  name: string | null;
  phone: string | null;
  email: string | null;
  currency: string;
  first_order_at: Date;
  last_order_at: Date;
  /** A `tsvector` in text form. */
  search_words: string | null;
};

type Changed = { organization_id: string; branch_id: string; change: number };

/** `writeCustomers` as statements that a cluster can route. All customers are of one tenant. */
export async function writeByStatement(tx: Tx, present: WrittenCustomer[], gone: CustomerKey[]): Promise<void> {
  const changed = [...(await writePresent(tx, present)), ...(await removeGone(tx, gone))];
  const totals = new Map<string, { organization_id: string; list: string; total: number }>();
  for (const { organization_id, branch_id, change } of changed) {
    const list = `customers ${branch_id}`;
    const sum = totals.get(`${organization_id} ${list}`) ?? { organization_id, list, total: 0 };
    sum.total += change;
    totals.set(`${organization_id} ${list}`, sum);
  }
  const rows = [...totals.values()].filter(({ total }) => total !== 0);
  if (rows.length === 0) return;
  await tx`
    insert into list_totals as t (organization_id, list, slot, total)
    select organization_id, list, 0, total
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (organization_id uuid, list text, total bigint)
    order by 1, 2
    on conflict (organization_id, list, slot) do update set total = t.total + excluded.total`;
}

async function writePresent(tx: Tx, present: WrittenCustomer[]): Promise<Changed[]> {
  if (present.length === 0) return [];
  const sums = await tx<{ n: number; orders: number; spent: string }[]>`
    select w.n, s.orders, s.spent::text
    from unnest(${present.map((one) => one.branch_id)}::uuid[], ${present.map((one) => one.customer_id)}::uuid[],
                ${present.map((one) => one.currency)}::text[])
         with ordinality as w (branch_id, customer_id, currency, n)
    cross join lateral (
      select sum(s.orders) as orders, coalesce(sum(s.spent) filter (where s.currency = w.currency), 0) as spent
      from customer_spending s
      where s.organization_id = ${tenantOf(present)} and s.branch_id = w.branch_id and s.customer_id = w.customer_id) s`;
  const rows = sums.map(({ n, ...sum }) => {
    const { customer_id, ...one } = present[n - 1] as WrittenCustomer;
    return { ...one, id: customer_id, ...sum };
  });
  const onConflict = `${replacingBy(['organization_id', 'branch_id', 'id'], rows)}
    returning organization_id, branch_id, (c.xmax = 0)::int as change`;
  return insertValues<Changed>(tx, 'customers as c', rows, onConflict);
}

function removeGone(tx: Tx, gone: CustomerKey[]): Promise<Changed[]> {
  if (gone.length === 0) return Promise.resolve([]);
  return tx<Changed[]>`
    delete from customers c
    using unnest(${gone.map((key) => key.branch_id)}::uuid[], ${gone.map((key) => key.customer_id)}::uuid[]) as g (branch_id, id)
    where c.organization_id = ${tenantOf(gone)} and c.branch_id = g.branch_id and c.id = g.id
    returning c.organization_id, c.branch_id, -1 as change`;
}

function tenantOf([key]: readonly CustomerKey[]): string {
  return (key as CustomerKey).organization_id;
}
