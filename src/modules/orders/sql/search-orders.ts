import type { Queryable } from '../../../platform/database/index.ts';
import type { Scalar, Value } from '../../../platform/database/statement.ts';
import type { TextRange } from '../../../platform/text/text-range.ts';
import type { OrderSearch, WordSearch } from '../search/read-search.ts';

/**
 * The condition of a search on `orders o`: one index look-up for each kind of text that it may be, combined by a bitmap.
 *
 * Each value is a subquery, which the planner does not look into. With the values visible, it estimates few rows, finds every plan
 * for these values cheaper than the plan for any values, and plans anew for every search.
 */
export function searchMatches(sql: Queryable, search: OrderSearch) {
  const { id, codeEnd, code, phone, transactions, references, email, words } = search;
  const text = (value: string) => sql`(select ${value}::text)`;
  const within = (column: Value, { from, to }: TextRange) =>
    sql`(${column} >= ${text(from)} and ${column} < ${text(to)})`;
  const kinds = [
    ...(id === undefined ? [] : [sql`o.id = ${id}`]),
    ...(codeEnd === undefined ? [] : [endsCode(sql, codeEnd)]),
    ...(code === undefined
      ? []
      : [
          sql`(o.created_at >= ${instant(sql, code.days.from)} and o.created_at < ${instant(sql, code.days.to)}
               and ${within(sql`o.order_code collate "C"`, code.range)})`,
        ]),
    ...(phone?.beginnings.map((range) => within(sql`o.phone_digits`, range)) ?? []),
    ...(phone?.end === undefined ? [] : [within(sql`reverse(o.phone_digits)`, phone.end)]),
    // The operators of text_pattern_ops: the index also serves `=` of the column's own collation.
    ...transactions.map(
      ({ from, to }) => sql`(o.source_transaction_id ~>=~ ${text(from)} and o.source_transaction_id ~<~ ${text(to)})`,
    ),
    ...(references.length === 0 ? [] : [sql`o.source_reference = any((select ${references}::text[])::text[])`]),
    ...(email === undefined ? [] : [within(sql`lower(o.customer_email collate "C")`, email)]),
    ...(words === undefined ? [] : [matchesWords(sql, words)]),
  ];
  const [first = sql`false`, ...others] = kinds;
  return others.reduce((one, other) => sql`${one} or ${other}`, first);
}

/** Orders of other days may have the same end. */
function endsCode(sql: Queryable, { end, whole }: NonNullable<OrderSearch['codeEnd']>) {
  const hasEnd = sql`right(o.order_code, 6) = (select ${end}::text)`;
  return whole === undefined ? hasEnd : sql`(${hasEnd} and o.order_code = (select ${whole}::text))`;
}

function matchesWords(sql: Queryable, { indexed, compared }: WordSearch) {
  const query = (text: string) => sql`o.search_words @@ (select ${text}::tsquery)`;
  // With `is true`, the index does not look up these words.
  return compared === undefined ? query(indexed) : sql`(${query(indexed)} and (${query(compared)}) is true)`;
}

const instant = (sql: Queryable, value: Scalar) => sql`(select ${value})`;
