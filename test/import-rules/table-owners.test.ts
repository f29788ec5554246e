import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../harness/index.ts';
import { EXCEPTIONS, OWNERS } from './table-owners.ts';
import { findTouches, type Touch, tablesIn } from './tables-in-code.ts';

const SOURCE = path.resolve(import.meta.dirname, '../../src');
const owners = new Map(Object.entries(OWNERS).flatMap(([owner, tables]) => tables.map((table) => [table, owner])));

let existing: string[];
let touches: Touch[];
beforeAll(async () => {
  const { sql } = await testDatabase();
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    -- A view that is read as a table is; the others are old names of tables.
    or relname = 'order_events'`;
  existing = rows.map(({ name }) => name);
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file));
  touches = files.flatMap((file) => findTouches(file, readFileSync(path.join(SOURCE, file), 'utf8'), owners));
});

const isListed = ({ who, table }: Touch) => EXCEPTIONS.some((known) => known.who === who && known.table === table);
const isForeign = ({ who, table }: Touch) => owners.get(table) !== who;

describe('every table', () => {
  it('has exactly one owner, and the owner is an existing folder', () => {
    // The tables of pg-boss are in their own schema.
    expect([...owners.keys()].toSorted()).toEqual([...existing, 'pgboss'].toSorted());
    expect(Object.values(OWNERS).flat()).toHaveLength(owners.size);
    for (const owner of Object.keys(OWNERS))
      expect([owner, existsSync(path.join(SOURCE, owner))]).toEqual([owner, true]);
  });

  it('is used by its owner only, apart from the listed exceptions', () => {
    const foreign = touches.filter((touch) => isForeign(touch) && !isListed(touch));
    expect(foreign.map(({ file, table }) => `${file} touches ${table} of ${owners.get(table)}`)).toEqual([]);
  });

  it('is used by its owner', () => {
    const unseen = [...owners].filter(([table, owner]) => !touches.some((t) => t.table === table && t.who === owner));
    // Their statements take the table name as a parameter.
    const histories = ['fleet_changes', 'fleet_change_history', 'dashboard_changes', 'dashboard_change_history'];
    const elsewhere = ['brands', 'categories', ...histories];
    expect(unseen.map(([table]) => table).filter((table) => !elsewhere.includes(table))).toEqual([]);
  });

  it('has no exception that the code no longer needs', () => {
    const unused = EXCEPTIONS.filter(
      ({ who, table }) => !touches.some((touch) => touch.who === who && touch.table === table),
    );
    expect(unused).toEqual([]);
  });
});

describe('tablesIn', () => {
  it.each<[string, string[]]>([
    ['sql`select 1 from orders o join branches b on true`', ['orders', 'branches']],
    ['sql`insert into orders (id)\n select id\n from only skus`', ['orders', 'skus']],
    ['sql`update orders set x = 1`; sql`delete from skus using branches`', ['orders', 'skus', 'branches']],
    ['sql`select from public.orders, lateral (select from skus)`', ['orders', 'skus']],
    ['sql`from products p cross join branches b`', ['products', 'branches']],
    ['sql`select * from json_populate_recordset(null::orders, 1)`', ['orders']],
    ["groupTable(sql, on.group, 'orders'); table('skus')", ['orders', 'skus']],
    ["insertValues<Row>(tx, 'branches as b', rows)", ['branches']],
    ['sql`select from pgboss.job`', ['pgboss']],
    ['// everything from orders\n/* and from skus */\nconst x = 1;', []],
    ['sql`select orders, sum(skus) from customers_of`', []],
    ["'an update of orders'", []],
  ])('%s', (text, expected) => {
    const known = new Set(['orders', 'branches', 'skus', 'products', 'pgboss']);
    expect(tablesIn(text, known).toSorted()).toEqual(expected.toSorted());
  });
});
