import type { Queryable } from '../../../platform/database/index.ts';
import type { OutboxEntry } from '../../events/index.ts';

/** The entries as a row set, one array per column: event bodies stay text and are escaped once. */
export const outboxInput = (sql: Queryable, entries: OutboxEntry[]) => sql`
  unnest(
    ${entries.map((entry) => entry.organization_id)}::uuid[],
    ${entries.map((entry) => entry.order_id)}::uuid[],
    ${entries.map((entry) => entry.branch_id)}::uuid[],
    ${entries.map((entry) => entry.type)}::text[],
    ${entries.map((entry) => entry.occurred_at)}::text[],
    ${entries.map((entry) => entry.occurred_us)}::text[],
    ${entries.map((entry) => entry.head)}::text[],
    ${entries.map((entry) => entry.tail)}::text[]
  ) with ordinality as e (organization_id, order_id, branch_id, type, occurred_at, occurred_us, head, tail, n)`;
