import type { Queryable, Tx } from './connect.ts';

const SLOTS = 16;
let nextSlot = Math.floor(Math.random() * SLOTS);

/** Changes the total of a list in the transaction that changes its rows, so the two always agree. */
export async function addToTotal(tx: Tx, organizationId: string, list: string, change: number): Promise<void> {
  if (change === 0) return;
  nextSlot = (nextSlot + 1) % SLOTS;
  await tx`
    insert into list_totals (organization_id, list, slot, total)
    values (${organizationId}, ${list}, ${nextSlot}, ${change})
    on conflict (organization_id, list, slot) do update set total = list_totals.total + excluded.total`;
}

export async function readTotal(sql: Queryable, organizationId: string, list: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select coalesce(sum(total), 0) as total from list_totals
    where organization_id = ${organizationId} and list = ${list}`;
  return row?.total ?? 0;
}
