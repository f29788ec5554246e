import { beforeAll, describe, expect, it } from 'vitest';
import { migrate, type Sql } from '../../src/platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../src/server.ts';
import { type OpenApiDocument, requiredQueryOf, routesOf } from '../harness/documented-routes.ts';
import {
  call,
  commercialAccount,
  emptyDatabase,
  listMigrations,
  migrationsUpTo,
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

async function asksEveryList(baseUrl: string, sql: Sql, organizationId: string): Promise<string[]> {
  const owner = await testAccount(sql, organizationId);
  const operator = await commercialAccount(sql);
  const document = await call<OpenApiDocument>(baseUrl, 'GET /openapi.json');
  const lists = routesOf(document.body).filter(
    ({ method, path, key, operation }) =>
      method === 'GET' && !path.includes('{') && requiredQueryOf(operation) === '' && key !== ENDLESS,
  );
  expect(lists.length).toBeGreaterThan(15);
  const wrong: string[] = [];
  for (const { key } of lists) {
    const asked = await call(baseUrl, key, { token: owner.token });
    const answer = asked.status === 403 ? await call(baseUrl, key, { token: operator.token }) : asked;
    if (answer.status !== 200) wrong.push(`${key}: ${answer.status} ${answer.text}`);
  }
  return wrong;
}

describe('a database full of rows comes up to date from', () => {
  it.each(migrations.slice(0, -1))('%s', async (level) => {
    const database = await emptyDatabase();
    const { sql } = database;
    await migrate(sql, await migrationsUpTo(level));
    const before = await fillTables(sql, new Date());
    for (const [table, rows] of before) expect([table, rows > 0]).toEqual([table, true]);
    expect(before.get('organizations')).toBe(FILLED_ROWS);

    const rest = migrations.filter((name) => name > level);
    expect(await migrate(sql, MIGRATIONS_FOLDER)).toEqual(rest);
    expect(await schemaShape(sql)).toEqual(fresh);
    const after = await countRows(sql, [...before.keys()]);
    for (const [table, rows] of before) expect([table, (after.get(table) ?? 0) >= rows]).toEqual([table, true]);

    const service = await testService({ DUKKAN_ROLES: 'api' }, { database });
    const tenants = await sql<{ id: string }[]>`select id from organizations`;
    for (const { id } of tenants) {
      expect(await asksEveryList(service.baseUrl, sql, id)).toEqual([]);
      const { token } = await testAccount(sql, id);
      for (const [table, target] of Object.entries(LISTS)) {
        if (!before.has(table)) continue;
        const { body } = await call(service.baseUrl, target, { token });
        expect([target, (body.data ?? body.orders).length]).toEqual([target, 1]);
      }
    }
    await service.stop();
  });
});
