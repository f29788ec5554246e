import { beforeAll, describe, expect, it } from 'vitest';
import { type DocumentedRoute, type OpenApiDocument, routesOf } from '../harness/documented-routes.ts';
import { call, type TestService, testDatabase, testOrganization, testService } from '../harness/index.ts';
import { attempt } from '../isolation/attempt.ts';
import { EXPECTATIONS } from '../isolation/expectations.ts';
import { openShop, type Shop } from '../isolation/shop.ts';

/** Routes of a tenant, with the objects of its own: what they ask of the cluster is for one shard. */
const ROUTES = Object.entries(EXPECTATIONS)
  .filter(([key, { access }]) => access === 'tenant' && !key.endsWith('/stream'))
  .toSorted(([one], [other]) => Number(one.startsWith('DELETE')) - Number(other.startsWith('DELETE')));

let service: TestService;
let routes: Map<string, DocumentedRoute>;
let shop: Shop;

beforeAll(async () => {
  const database = await testDatabase();
  // In a database that is not empty the demo is not loaded, but sandbox providers are allowed.
  await testOrganization(database.sql);
  const settings = { DUKKAN_DEMO: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const filling = await testService(settings, { database });
  shop = await openShop(filling, 'FANOUT');
  await filling.stop();
  const name = new URL(database.url).pathname.slice(1);
  await database.sql.unsafe(`alter database ${name} set citus.enable_stat_counters = on`);
  // Without workers: every statement that is counted is one of a request.
  service = await testService({ ...settings, DUKKAN_ROLES: 'api' }, { database });
  const document = (await call<OpenApiDocument>(service.baseUrl, 'GET /openapi.json')).body;
  routes = new Map(routesOf(document).map((route) => [route.key, route]));
});

async function readCounts(): Promise<{ one: number; several: number }> {
  const [row] = await service.sql<{ one: number; several: number }[]>`
    select query_execution_single_shard::int as one, query_execution_multi_shard::int as several
    from citus_stat_counters where name = current_database()`;
  return row ?? { one: 0, several: 0 };
}

describe('a request asks one shard at a time', () => {
  it.each(ROUTES)('%s', async (key, expectation) => {
    const before = await readCounts();
    const route = routes.get(key) as DocumentedRoute;
    const answer = await attempt(service.baseUrl, route, expectation, shop.ids, { token: shop.owner.token });
    expect(answer.status, answer.text).toBeLessThan(500);
    expect((await readCounts()).several - before.several, answer.sent).toBe(0);
  });

  it('and the requests above have asked shards', async () => {
    expect((await readCounts()).one).toBeGreaterThan(ROUTES.length / 4);
  });
});
