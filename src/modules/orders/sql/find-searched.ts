import type { Queryable } from '../../../platform/database/index.ts';
import type { TextRange } from '../../../platform/text/text-range.ts';
import type { Order } from '../order.ts';
import type { OrderSearch } from '../search/read-search.ts';
import { shownColumns } from './columns.ts';

export type SearchKey = { branchId: string | null; search: OrderSearch };

/** The ids of the newest matches, how many there are up to the limit of matches, and the orders themselves where they are few. */
export type Searched = { ids: string[]; total: number; orders: Order[] };

export type SearchLimits = { ids: number; matches: number; orders: number };

/** Spellings of a transaction, and stored forms of a telephone number, that one statement looks up for a search. */
const MAX_RANGES = 3;

/** Whether `findSearched` can look up this search. */
export function isLookedUp({ phone, transactions }: OrderSearch): boolean {
  return (phone?.beginnings.length ?? 0) <= MAX_RANGES && transactions.length <= MAX_RANGES;
}

/**
 * Several searches of one tenant in one statement, the newest orders of each first. Each kind of text is one index look-up, as in
 * `searchMatches`; a kind that a search has not is null, which an index scan ends at once (under a microsecond).
 */
export async function findSearched(
  sql: Queryable,
  organizationId: string,
  keys: readonly SearchKey[],
  limits: SearchLimits,
): Promise<Searched[]> {
  const rows = await sql<(Order & { n: number; ids: string[] | null; total: number; place: number | null })[]>`
    select k.n, found.ids, found.total, o.*
    from json_to_recordset(${JSON.stringify(keys.map(recordOf))}::text::json) as k (
      n int, branch_id uuid, id uuid, code_end text, code text, code_from text, code_to text, day_from timestamptz, day_to timestamptz,
      phone_from_0 text, phone_to_0 text, phone_from_1 text, phone_to_1 text, phone_from_2 text, phone_to_2 text,
      phone_end_from text, phone_end_to text,
      transaction_from_0 text, transaction_to_0 text, transaction_from_1 text, transaction_to_1 text,
      transaction_from_2 text, transaction_to_2 text, "references" text[], email_from text, email_to text,
      words tsquery, compared_words tsquery)
    cross join lateral (
      select count(*) as total, (array_agg(o.id order by o.created_at desc, o.id desc))[1:${limits.ids}::int] as ids from (
        select o.id, o.created_at from orders o
        where o.organization_id = ${organizationId} and (k.branch_id is null or o.destination_id = k.branch_id) and (
          o.id = k.id
          or (right(o.order_code, 6) = k.code_end and (k.code is null or o.order_code = k.code))
          or (o.created_at >= k.day_from and o.created_at < k.day_to
              and o.order_code collate "C" >= k.code_from and o.order_code collate "C" < k.code_to)
          or (o.phone_digits >= k.phone_from_0 and o.phone_digits < k.phone_to_0)
          or (o.phone_digits >= k.phone_from_1 and o.phone_digits < k.phone_to_1)
          or (o.phone_digits >= k.phone_from_2 and o.phone_digits < k.phone_to_2)
          or (reverse(o.phone_digits) >= k.phone_end_from and reverse(o.phone_digits) < k.phone_end_to)
          or (o.source_transaction_id ~>=~ k.transaction_from_0 and o.source_transaction_id ~<~ k.transaction_to_0)
          or (o.source_transaction_id ~>=~ k.transaction_from_1 and o.source_transaction_id ~<~ k.transaction_to_1)
          or (o.source_transaction_id ~>=~ k.transaction_from_2 and o.source_transaction_id ~<~ k.transaction_to_2)
          or o.source_reference = any(k."references")
          or (lower(o.customer_email collate "C") >= k.email_from and lower(o.customer_email collate "C") < k.email_to)
          or (o.search_words @@ k.words and (k.compared_words is null or (o.search_words @@ k.compared_words) is true)))
        limit ${limits.matches + 1}) o
    ) found
    left join lateral (
      select i.place, ${shownColumns(sql)} from unnest(found.ids) with ordinality as i (id, place)
      join orders o on o.organization_id = ${organizationId} and o.id = i.id
    ) o on found.total <= ${limits.orders}
    order by k.n, o.place`;
  const found = keys.map((): Searched => ({ ids: [], total: 0, orders: [] }));
  for (const row of rows) {
    const searched = found[row.n] as Searched;
    searched.ids = row.ids ?? [];
    searched.total = row.total;
    if (row.place !== null) searched.orders.push(row);
  }
  return found;
}

function recordOf({ branchId, search }: SearchKey, n: number): Record<string, unknown> {
  const { id, codeEnd, code, phone, transactions, references, email, words } = search;
  return {
    n,
    branch_id: branchId ?? undefined,
    id,
    code_end: codeEnd?.end,
    code: codeEnd?.whole,
    code_from: code?.range.from,
    code_to: code?.range.to,
    day_from: code?.days.from,
    day_to: code?.days.to,
    ...rangesOf('phone', phone?.beginnings ?? []),
    phone_end_from: phone?.end?.from,
    phone_end_to: phone?.end?.to,
    ...rangesOf('transaction', transactions),
    references,
    email_from: email?.from,
    email_to: email?.to,
    words: words?.indexed,
    compared_words: words?.compared,
  };
}

function rangesOf(name: string, ranges: readonly TextRange[]): Record<string, string> {
  return Object.fromEntries(
    ranges.flatMap(({ from, to }, n) => [
      [`${name}_from_${n}`, from],
      [`${name}_to_${n}`, to],
    ]),
  );
}
