import { beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../src/server.ts';
import { type DocumentedRoute, type OpenApiDocument, requiredQueryOf, routesOf } from '../harness/documented-routes.ts';
import {
  amount,
  call,
  commercialAccount,
  emptyDatabase,
  listMigrations,
  migrationsUpTo,
  type TestDatabase,
  testAccount,
  testDatabase,
  testService,
} from '../harness/index.ts';
import { countRows, FILLED_ROWS, fillTables } from './fill-tables.ts';
import { schemaShape } from './schema-shape.ts';

const migrations = await listMigrations();
/** Answered for as long as the client stays. */
const ENDLESS = 'GET /orders/changes/stream';
/** What lists show is what their tables hold, so a row that was there before the upgrade is to be seen. */
const LISTS = { branches: 'GET /branches', products: 'GET /products', orders: 'GET /orders' };

let fresh: string[];
beforeAll(async () => {
  fresh = await schemaShape((await testDatabase()).sql);
});

/** Every list of the API that needs no parameter, by whether the caller decides what it shows. */
async function readLists(baseUrl: string): Promise<{ ofTenant: string[]; common: string[] }> {
  const document = await call<OpenApiDocument>(baseUrl, 'GET /openapi.json');
  const lists = routesOf(document.body).filter(
    ({ method, path, key, operation }) =>
      method === 'GET' && !path.includes('{') && requiredQueryOf(operation) === '' && key !== ENDLESS,
  );
  const isCommon = ({ path, operation }: DocumentedRoute) =>
    /^\/(commercial|leads|telemetry)\b/.test(path) || (operation.security ?? []).length === 0;
  return {
    ofTenant: lists.filter((route) => !isCommon(route)).map(({ key }) => key),
    common: lists.filter(isCommon).map(({ key }) => key),
  };
}

async function listFailures(baseUrl: string, targets: readonly string[], token: string): Promise<string[]> {
  const answers = await Promise.all(targets.map((target) => call(baseUrl, target, { token })));
  return answers.flatMap(({ status, text }, at) => (status === 200 ? [] : [`${targets[at]}: ${status} ${text}`]));
}

/**
 * One database that was there from the first migration: each level adds two rows to every table, and all of them go
 * through all that is to come. To begin anew at each level took 26 databases, 351 migrations and 26 services for the same
 * rows.
 */
describe('a database full of rows comes up to date', () => {
  let database: TestDatabase;
  let before: ReadonlyMap<string, number> = new Map();
  beforeAll(async () => {
    database = await emptyDatabase();
  });

  async function migrateTo(level: string, folder: string): Promise<void> {
    expect(await migrate(database.sql, folder)).toEqual([level]);
    const after = await countRows(database.sql, [...before.keys()]);
    for (const [table, rows] of before) expect([table, (after.get(table) ?? 0) >= rows]).toEqual([table, true]);
  }

  it.each(migrations.slice(0, -1).map((level, at) => [level, at] as const))('from %s', async (level, at) => {
    await migrateTo(level, await migrationsUpTo(level));
    before = await fillTables(database.sql, at, new Date());
    for (const [table, rows] of before) expect([table, rows > 0]).toEqual([table, true]);
    expect(before.get('organizations')).toBe(FILLED_ROWS * (at + 1));
  });

  it('and is the same as a new one, with everything to be seen in it', async () => {
    const { sql } = database;
    await migrateTo(migrations.at(-1) ?? '', MIGRATIONS_FOLDER);
    expect(await schemaShape(sql)).toEqual(fresh);
    const service = await testService({ DUKKAN_ROLES: 'api' }, { database });
    const tenants = await sql<{ id: string; [table: string]: string | number }[]>`
      select id, (select count(*)::int from branches where organization_id = o.id) as branches,
        (select count(*)::int from products where organization_id = o.id) as products,
        (select count(*)::int from orders where organization_id = o.id) as orders
      from organizations o order by id`;
    expect(tenants).toHaveLength(FILLED_ROWS * (migrations.length - 1));
    const lists = await readLists(service.baseUrl);
    expect(lists.ofTenant.length).toBeGreaterThan(15);
    expect(lists.common.length).toBeGreaterThan(5);
    const operator = await commercialAccount(sql);
    expect(await listFailures(service.baseUrl, lists.common, operator.token)).toEqual([]);
    // One tenant of each level, the two kinds of rows in turn.
    const every = amount({ usual: 2, long: 1 });
    for (const tenant of tenants.filter((_, at) => every === 1 || at % 2 === Math.floor(at / 2) % 2)) {
      const { token } = await testAccount(sql, tenant.id);
      expect(await listFailures(service.baseUrl, lists.ofTenant, token)).toEqual([]);
      for (const [table, target] of Object.entries(LISTS)) {
        const { body } = await call(service.baseUrl, target, { token });
        expect([target, (body.data ?? body.orders).length]).toEqual([target, tenant[table]]);
      }
    }
    for (const table of Object.keys(LISTS))
      expect(tenants.filter((one) => one[table] === 1).length).toBeGreaterThan(40);
    await service.stop();
  });
});
