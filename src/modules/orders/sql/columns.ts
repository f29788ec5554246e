import type { Queryable } from '../../../platform/database/index.ts';
import type { Order } from '../order.ts';
import { CSV_COLUMNS, ORDER_FIELD_NAMES, TRACKED_FIELD_NAMES } from '../order-fields.ts';
import type { SearchColumns } from '../search/search-columns.ts';

/** Columns that clients do not read. `raw` is missing: it is large and rarely read. */
const INTERNAL = ['is_open', 'last_known_status', 'payment_facts'] as const;
/** Written and never read back. */
const SEARCH = ['search_words', 'phone_digits'] satisfies (keyof SearchColumns)[];
const ORIGIN = ['source', 'organization_app_id', 'app_slug', 'channel_family', 'channel_kind'] as const;

const ALL = [...ORDER_FIELD_NAMES, ...ORIGIN, ...INTERNAL, 'source_revision'] satisfies (keyof Order)[];
const WRITTEN = [...TRACKED_FIELD_NAMES, ...INTERNAL, ...SEARCH, 'updated_at'] satisfies (keyof (Order &
  SearchColumns))[];

/** Columns of the CSV export. Lines and addresses are neither exported nor read. */
export type ExportedOrder = Pick<Order, Extract<(typeof CSV_COLUMNS)[number], keyof Order>>;
const isStored = (column: string) => (ALL as string[]).includes(column);

const shown = constantSql([...ORDER_FIELD_NAMES, ...ORIGIN].map((column) => `o.${column}`).join(', '));
const all = constantSql(ALL.map((column) => `o.${column}`).join(', '));
const exported = constantSql(
  CSV_COLUMNS.filter(isStored)
    .map((column) => `o.${column}`)
    .join(', '),
);
const version = constantSql("o.xmin || ' ' || o.updated_at");
const written = constantSql(WRITTEN.map((column) => `${column} = i.${column}`).join(', '));

/** All columns of `orders o` but the vendor's payload. */
export const orderColumns = (sql: Queryable) => sql(all);

/** Those that lists show: the others are a quarter of the bytes of a row. */
export const shownColumns = (sql: Queryable) => sql(shown);

export const exportColumns = (sql: Queryable) => sql(exported);

/** What an update of `orders o` takes over from the row `i`. The vendor's payload and the origin of the order stay. */
export const writtenColumns = (sql: Queryable) => sql(written);

/**
 * Differs between any two states of an order. `xmin` alone would do on one server; after a failover that lost transactions their
 * numbers are used again.
 */
export const rowVersion = (sql: Queryable) => sql(version);

/** SQL text without parameters, in the shape in which a tagged template passes it. Built once, so that statements stay cached. */
function constantSql(text: string): TemplateStringsArray {
  return Object.assign([text], { raw: [text] });
}
