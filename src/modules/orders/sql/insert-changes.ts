import { insertValues, plainArray, type Queryable, type Tx, weekStart } from '../../../platform/database/index.ts';
import type { OutboxEntry } from '../../events/index.ts';

/**
 * The unit separator. JSON never contains it: control characters are escaped. As elements of an array, texts of events would have every
 * quote escaped, which takes 9 us for an order with one line.
 */
const SEPARATOR = '\u001f';

/** The entries as a row set, one array per column. */
const outboxInput = (sql: Queryable, entries: OutboxEntry[]) => sql`
  unnest(
    ${plainArray(entries.map((entry) => entry.organization_id))}::text::uuid[],
    ${plainArray(entries.map((entry) => entry.order_id))}::text::uuid[],
    ${plainArray(entries.map((entry) => entry.branch_id))}::text::uuid[],
    ${plainArray(entries.map((entry) => entry.type))}::text::text[],
    ${plainArray(entries.map((entry) => entry.occurred_us))}::text::bigint[],
    string_to_array(${sql.text(entries.map((entry) => entry.tail).join(SEPARATOR))}::text, ${SEPARATOR})
  ) with ordinality as e (organization_id, order_id, branch_id, type, occurred_us, tail, n)`;

/**
 * Two CTEs for the statement that changes the orders: the text of each event, written once, and its number for the publisher. `only`
 * restricts the entries, which are `e`, to orders that were written. Numbered in the order of the entries.
 */
export const insertChanges = (sql: Queryable, entries: OutboxEntry[], only = sql``) => sql`
  changes as (
    insert into order_changes (organization_id, week, order_id, branch_id, type, occurred_us, tail)
    select e.organization_id, ${weekOf(entries)}::date, e.order_id, e.branch_id, e.type, e.occurred_us, e.tail
    from ${outboxInput(sql, entries)} ${only} order by e.n
    returning id, organization_id, order_id, week
  ), queued as (
    insert into order_outbox (id, organization_id, order_id, week) overriding system value
    select id, organization_id, order_id, week from changes
  )`;

/**
 * The same as statements of their own: a cluster sends a CTE that feeds an insert to all nodes. For entries of one group of tenants.
 */
export async function writeChanges(tx: Tx, entries: OutboxEntry[]): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  const group = tx.layout.groupOf(first.organization_id);
  const week = weekOf(entries);
  const numbers = await tx<{ id: number }[]>`
    select nextval('order_outbox_id_seq') as id from generate_series(1, ${entries.length})`;
  const ids = numbers.map(({ id }) => id).toSorted((one, other) => one - other);
  const numbered = entries.map((entry, index) => ({ id: ids[index] as number, week, ...entry }));
  await insertValues(tx, 'order_changes', numbered);
  const queued = numbered.map(({ id, organization_id, order_id }) => ({
    tenant_group: group,
    id,
    organization_id,
    order_id,
    week,
  }));
  await insertValues(tx, 'order_outbox', queued);
}

/** The partition of the latest entry. */
function weekOf(entries: OutboxEntry[]): string {
  const latestMs = entries.reduce((latest, entry) => Math.max(latest, Number(entry.occurred_us) / 1000), 0);
  return weekStart(new Date(latestMs)).toISOString().slice(0, 10);
}
