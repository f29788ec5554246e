import { ensureWeeks, type Sql } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { secretBox } from '../../src/platform/secret-box.ts';
import { TEST_SECRET } from '../harness/index.ts';

type Column = {
  name: string;
  type: string;
  isRequired: boolean;
  hasDefault: boolean;
  /** The words a check allows, when it names them. */
  words: string[];
};
type Reference = { columns: string[]; table: string; keys: string[] };
type Table = { name: string; isPartitioned: boolean; columns: Column[]; references: Reference[] };
type Row = Record<string, string | null>;

/** Of each table, at every level. */
export const FILLED_ROWS = 2;

/** Where any value of the type would do for the table, but not for its readers. Rows are counted over all levels. */
const MEANINGFUL: Record<string, (row: number) => string | null> = {
  'organizations.suspended_at': () => null,
  'users.email': (row) => `user-${row}@tests.example`,
  'branches.time_zone': () => 'Asia/Dubai',
  'branches.lat': (row) => String(row % 90),
  'branches.lon': (row) => String(row % 180),
  'partners.rate_percent': (row) => String(row % 100),
  'price_schedules.status': () => 'ended',
  'revenue_goals.month': (row) => new Date(Date.UTC(2026, row, 1)).toISOString().slice(0, 10),
  'list_totals.list': () => 'products',
  'orders.order_status': () => 'RECEIVED',
  'orders.payment_status': () => 'pending',
  'orders.fulfillment_status': () => 'None',
  'orders.currency': () => 'SAR',
  'orders.products': () => '[{"product_id": "P", "sku_id": "P_B"}]',
  'forecast_settings.service_level': () => '0.95',
  'order_outbox.type': () => 'order.created',
  'order_events.type': () => 'order.created',
  'order_changes.body': () => null,
  // A wallet is not overdrawn, a fee is of a branch unless it says more, and sums are of something.
  'ledger_entries.entry_type': () => 'topup',
  'ledger_entries.direction': () => 'credit',
  'branch_fees.status': () => 'pending',
  'branch_fees.organization_app_id': () => null,
  'billing_accounts.charged_through': () => '2026-11-01',
  'billing_sums.measure': () => 'fees',
  'billing_sums.part': (row) => ['pending', 'paid'][row % FILLED_ROWS] ?? '',
  'billing_sum_changes.measure': () => 'fees',
  'billing_sum_changes.part': () => 'pending',
  // A service that could not open it would take its own secret for the wrong one.
  'webhook_subscriptions.secret': () => sealed('whsec_c2VhbGVk'),
  'app_installs.settings': () => sealed('{}'),
  'app_installs.secret_origins': () => sealed('{}'),
  'app_installs.ingest_token': () => sealed('dkt_sealed'),
};

/** Columns that may be null, of which a check needs one. */
const NEEDED = new Set(['order_changes.tail']);

function sealed(text: string): string {
  return `\\x${secretBox(TEST_SECRET).seal(text).toString('hex')}`;
}

/**
 * Two rows in every table, whatever tables there are: the first with a value in every column, the second with nothing but
 * what is required. References are kept, and columns that are called organization_id point at the same two tenants, which
 * are new at each level. Returns how many rows each table then has.
 */
export async function fillTables(sql: Sql, level: number, now: Date): Promise<Map<string, number>> {
  const tables = inOrderOfReferences(withoutMovedTables(await readTables(sql)));
  const filled = new Map<string, Row[]>();
  const statements: string[] = [];
  for (const table of tables) {
    if (table.isPartitioned) await ensureWeeks(sql, { name: table.name, fillPercent: 100 }, now);
    const rows = Array.from({ length: FILLED_ROWS }, (_, place) => rowFor(table, { level, place }, filled, now));
    statements.push(...rows.map((row) => insertStatement(table, row)));
    filled.set(table.name, rows);
  }
  // In one round trip: over all levels these are ten thousand statements.
  await sql.unsafe(statements.join(';\n'));
  return countRows(sql, [...filled.keys()]);
}

/** 0044 to 0046 belong to one release: no release leaves events in the old table and in those that 0045 moves them to. */
function withoutMovedTables(tables: Table[]): Table[] {
  const isMoving = ['order_events', 'order_feed'].every((name) => tables.some((table) => table.name === name));
  return isMoving
    ? tables.filter(({ name }) => !['order_events', 'order_feed', 'order_changes'].includes(name))
    : tables;
}

export async function countRows(sql: Sql, tables: readonly string[]): Promise<Map<string, number>> {
  if (tables.length === 0) return new Map();
  const counts = tables.map((name) => `select '${name}' as name, count(*) as rows from ${name}`);
  const rows = await sql.unsafe<{ name: string; rows: number }[]>(counts.join(' union all '));
  return new Map(rows.map(({ name, rows }) => [name, rows]));
}

function rowFor(
  table: Table,
  which: { level: number; place: number },
  filled: ReadonlyMap<string, Row[]>,
  now: Date,
): Row {
  const { level, place } = which;
  const isFull = place === 0;
  const row: Row = {};
  for (const column of table.columns) {
    const isNeeded = column.isRequired || NEEDED.has(`${table.name}.${column.name}`);
    if (column.hasDefault || !(isNeeded || isFull)) continue;
    const referred = table.references.find(({ columns }) => columns.includes(column.name));
    const kept = referred && filled.get(referred.table)?.[place]?.[keyFor(referred, column.name)];
    const tenant = column.name === 'organization_id' ? filled.get('organizations')?.[place]?.id : undefined;
    row[column.name] = kept ?? tenant ?? valueFor(table.name, column, level * FILLED_ROWS + place, now);
  }
  return row;
}

function keyFor({ columns, keys }: Reference, column: string): string {
  return keys[columns.indexOf(column)] ?? '';
}

function valueFor(table: string, { name, type, words }: Column, index: number, now: Date): string | null {
  const meaningful = MEANINGFUL[`${table}.${name}`];
  if (meaningful !== undefined) return meaningful(index);
  if (words.length > 0) return String(words[index % words.length]);
  if (type.endsWith('[]') || type.endsWith('range')) return '{}';
  if (type === 'uuid') return newId();
  if (type === 'text') return `${name} ${index}`;
  if (type === 'tsvector') return `'word${index}'`;
  if (type === 'boolean') return 'false';
  if (type === 'bytea') return `\\x${index.toString(16).padStart(4, '0')}`;
  if (type === 'json' || type === 'jsonb') return '{}';
  if (type === 'date') return now.toISOString().slice(0, 10);
  if (type.startsWith('timestamp')) return now.toISOString();
  if (/^(smallint|integer|bigint|numeric|double precision|real|xid8)/.test(type)) return String(index + 1);
  throw new Error(`What would a value of ${table}.${name} look like? Its type ${type} is new to this test`);
}

function insertStatement(table: Table, row: Row): string {
  const names = Object.keys(row);
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const values = names.map((name) => {
    const value = row[name];
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'::${types.get(name)}` : 'null';
  });
  // Some tables have one row at most, and came with it.
  return names.length === 0
    ? `insert into ${table.name} default values on conflict do nothing`
    : `insert into ${table.name} (${names.join(', ')}) values (${values.join(', ')}) on conflict do nothing`;
}

async function readTables(sql: Sql): Promise<Table[]> {
  const tables = await sql<{ name: string; isPartitioned: boolean }[]>`
    select relname as name, relkind = 'p' as "isPartitioned" from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and relname not in ('schema_migrations', 'schema_migration_progress')
    order by relname`;
  const columns = await sql<(Omit<Column, 'words'> & { table: string; checks: string })[]>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as "isRequired",
      a.atthasdef or a.attidentity <> '' as "hasDefault",
      coalesce((select string_agg(pg_get_constraintdef(k.oid), ' ') from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]), '') as checks
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`;
  const references = await sql<(Reference & { owner: string })[]>`
    select c.conrelid::regclass::text as owner, c.confrelid::regclass::text as table,
      (select array_agg(a.attname::text order by k.place) from unnest(c.conkey) with ordinality as k (number, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns,
      (select array_agg(a.attname::text order by k.place) from unnest(c.confkey) with ordinality as k (number, place)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number) as keys
    from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0
    order by array_length(c.conkey, 1) desc`;
  return tables.map((table) => ({
    ...table,
    columns: columns
      .filter((column) => column.table === table.name)
      .map((column) => ({
        ...column,
        isRequired: column.isRequired || column.checks.includes('IS NOT NULL'),
        words: [...column.checks.matchAll(/'([^']+)'::text/g)].map(([, word]) => String(word)),
      })),
    references: references.filter(({ owner }) => owner === table.name),
  }));
}

/** Referenced tables come first. */
function inOrderOfReferences(tables: Table[]): Table[] {
  const ordered: Table[] = [];
  const visit = (table: Table) => {
    if (ordered.includes(table)) return;
    for (const { table: name } of table.references) {
      const referred = tables.find((candidate) => candidate.name === name);
      if (referred !== undefined && referred !== table) visit(referred);
    }
    ordered.push(table);
  };
  const tenants = tables.find(({ name }) => name === 'organizations');
  if (tenants !== undefined) visit(tenants);
  tables.forEach(visit);
  return ordered;
}
