import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setSuspended } from '../../src/modules/identity/index.ts';
import { type DocumentedRoute, type OpenApiDocument, routesOf } from '../harness/documented-routes.ts';
import {
  call,
  commercialAccount,
  type TestAccount,
  type TestOrganization,
  type TestService,
  testAccount,
  testDatabase,
  testOrganization,
  testService,
} from '../harness/index.ts';
import { type Answer, attempt, type Caller, leaked, neutral } from './attempt.ts';
import { EXPECTATIONS, type Expectation, type TenantExpectation } from './expectations.ts';
import { authenticationFor } from './second-factor-bodies.ts';
import { openShop, type Shop } from './shop.ts';
import { ghostOf } from './shop-ids.ts';
import { createSnapshotReader, type Snapshot } from './snapshot.ts';

let service: TestService;
let routes: Map<string, DocumentedRoute>;
let victim: Shop;
let other: Shop;
let suspended: TestOrganization;
let operator: TestAccount;
let revoked: TestAccount;
let member: TestAccount;
let readSnapshot: () => Promise<Snapshot>;
let untouched: Snapshot;
let attempts = 0;

beforeAll(async () => {
  const database = await testDatabase();
  // In a database that is not empty the demo is not loaded, but sandbox providers are allowed.
  await testOrganization(database.sql);
  const settings = {
    DUKKAN_DEMO: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    // One attempt, then nothing in the background for as long as this takes.
    WEBHOOK_RETRY_DELAYS: '86400',
    LOGIN_RATE_LIMIT_PER_MINUTE: '0',
  };
  service = await testService(settings, { database });
  const document = (await call<OpenApiDocument>(service.baseUrl, 'GET /openapi.json')).body;
  routes = new Map(routesOf(document).map((route) => [route.key, route]));
  [victim, other] = await Promise.all([openShop(service, 'VICTIM4711'), openShop(service, 'OTHER0815')]);
  suspended = await testOrganization(service.sql);
  await setSuspended(service.sql, suspended.id, new Date());
  operator = await commercialAccount(service.sql);
  revoked = await testAccount(service.sql, victim.ids.organization, 'owner');
  member = await testAccount(service.sql, victim.ids.organization, 'member');
  expect((await call(service.baseUrl, 'POST /auth/logout', { token: revoked.token })).status).toBe(204);
  readSnapshot = await createSnapshotReader(service.sql, victim.ids.organization);
  untouched = await readSnapshot();
  expect(Object.values(untouched).filter((rows) => rows !== '').length).toBeGreaterThan(10);
});

afterAll(() => process.stdout.write(`isolation: ${EXPECTED.length} routes, ${attempts} attempts\n`));

const EXPECTED = Object.entries(EXPECTATIONS);
const of = (access: Expectation['access']) => EXPECTED.filter(([, expectation]) => expectation.access === access);
const TENANT = EXPECTED.filter((entry): entry is [string, TenantExpectation] => entry[1].access === 'tenant');
const forKeys = TENANT.filter(([, { resource }]) => resource !== 'Settings');
/** What belongs to one branch, and so is nothing to those of another. */
const OF_A_BRANCH = [
  'branch',
  'branchId',
  'sku',
  'order',
  'transaction',
  'note',
  'customer',
  'job',
  'paylink',
] as const;
const isAimed = ({ at, query, body, csv }: Expectation) => [at, query, body, csv].some((aim) => aim !== undefined);

function routeOf(key: string): DocumentedRoute {
  const route = routes.get(key);
  if (route === undefined) throw new Error(`${key} is not in the API description`);
  return route;
}

async function aimed(key: string, expectation: Expectation, caller: Caller, ids = victim.ids): Promise<Answer> {
  attempts += 1;
  return attempt(service.baseUrl, routeOf(key), expectation, ids, caller);
}

async function nothingChanged(): Promise<void> {
  expect(await readSnapshot()).toEqual(untouched);
}

const BAD_TOKENS = [
  'nonsense',
  `dks_${'x'.repeat(43)}`,
  // Well formed, signed by another party.
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4Iiwic2lkIjoieCIsImlhdCI6MSwiZXhwIjo5OTk5OTk5OTk5fQ.c2lnbmF0dXJl',
];

describe('the table', () => {
  it('has a line for every route, and a route for every line', () => {
    expect(Object.keys(EXPECTATIONS).toSorted()).toEqual([...routes.keys()].toSorted());
  });

  it.each(EXPECTED)('%s: the API description asks for the same', (key, { access }) => {
    const security = routeOf(key).operation.security ?? [];
    expect(security.length > 0).toBe(access !== 'public');
  });
});

describe('without a valid token', () => {
  it.each(EXPECTED.filter(([, { access }]) => access !== 'public'))('401: %s', async (key, expectation) => {
    const callers: Caller[] = [{}, ...BAD_TOKENS.map((token) => ({ token }))];
    if (expectation.access !== 'credentials') callers.push({ token: revoked.token });
    if (expectation.access !== 'tenant' || expectation.apiKey === undefined)
      callers.push({ apiKey: victim.apiKeyText });
    for (const caller of callers) {
      const { status, text } = await aimed(key, expectation, caller);
      expect(status, JSON.stringify(caller)).toBe(401);
      expect(text).toContain('Valid API key required');
    }
    await nothingChanged();
  });

  it.each(of('credentials'))('a revoked one is reported as revoked: %s', async (key, expectation) => {
    const { status, text } = await aimed(key, expectation, { token: revoked.token });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ token: { revoked: true }, service_operational: false });
  });

  it.each(of('public'))('let in: %s', async (key, expectation) => {
    for (const caller of [{}, { token: 'nonsense' }]) {
      const { status, text } = await aimed(key, expectation, caller);
      // Login, refresh and vendors' calls have a 401 of their own for what the example holds.
      if (status === 401) expect(key).toMatch(/^POST \/(auth\/(login|refresh)|ingest\/\{id\})$/);
      // The link in the example was never handed out.
      else if (status === 404) expect(key).toMatch(/^POST \/auth\/(invitations\/accept|password\/reset)$/);
      else expect(status, text).toBeLessThan(400);
    }
    await nothingChanged();
  });
});

/** Before the other tenant has rows of its own under the names that it tried. */
describe('with an API key', () => {
  it.each(EXPECTED.filter(([, line]) => line.access !== 'public' && !forKeys.some(([, open]) => open === line)))(
    '401 with every grant there is: %s',
    async (key, expectation) => {
      const { status, text } = await aimed(key, expectation, { apiKey: victim.fullKeyText });
      expect(status, text).toBe(401);
    },
  );

  it.each(forKeys)('of another tenant, the victim is not there, and 403 by its name: %s', async (key, expectation) => {
    const caller = { apiKey: other.fullKeyText };
    const named = await aimed(key, expectation, { ...caller, organizationId: victim.ids.organization });
    expect([named.status, JSON.parse(named.text).error]).toEqual([403, 'Organization not accessible']);
    if (expectation.action === 'read') {
      const ghost = ghostOf(victim.ids);
      const asked = await aimed(key, expectation, caller);
      expect(leaked(asked, victim.ids)).toEqual([]);
      const askedForNothing = await aimed(key, expectation, caller, ghost);
      if (isAimed(expectation)) expect(neutral(asked, victim.ids)).toBe(neutral(askedForNothing, ghost));
    }
    await nothingChanged();
  });
});

describe("with another tenant's token", () => {
  it.each(EXPECTED.filter(([, { access }]) => access === 'tenant' || access === 'signed-in'))(
    'it is as if nothing of the victim existed: %s',
    async (key, expectation) => {
      if (/logout|auth\/password/.test(key)) return expect(expectation.at).toBeUndefined();
      const ghost = ghostOf(victim.ids);
      const asked = await aimed(key, expectation, { token: other.owner.token });
      const askedForNothing = await aimed(key, expectation, { token: other.owner.token }, ghost);
      if (isAimed(expectation)) expect(neutral(asked, victim.ids)).toBe(neutral(askedForNothing, ghost));
      expect(leaked(asked, victim.ids)).toEqual([]);
      await nothingChanged();
    },
  );

  it.each([...TENANT, ...of('credentials')])(
    '403 when it names the victim’s organization: %s',
    async (key, expectation) => {
      const caller = { token: other.owner.token, organizationId: victim.ids.organization };
      const { status, text } = await aimed(key, expectation, caller);
      expect([status, JSON.parse(text).error]).toEqual([403, 'Organization not accessible']);
      const unknown = { token: other.owner.token, organizationId: ghostOf(victim.ids).organization };
      expect((await aimed(key, expectation, unknown)).text).toBe(text);
      await nothingChanged();
    },
  );
});

describe('with a token of the wrong kind', () => {
  it.each(of('commercial'))('403 for a merchant: %s', async (key, expectation) => {
    for (const { token } of [victim.owner, victim.viewer, other.owner]) {
      expect((await aimed(key, expectation, { token })).status).toBe(403);
    }
  });

  it.each(TENANT)('403 for the operator: %s', async (key, expectation) => {
    expect((await aimed(key, expectation, { token: operator.token })).status).toBe(403);
    const named = { token: operator.token, organizationId: victim.ids.organization };
    expect((await aimed(key, expectation, named)).status).toBe(403);
    await nothingChanged();
  });

  it.each(TENANT)('402 while suspended: %s', async (key, expectation) => {
    const { status } = await aimed(key, expectation, { token: suspended.owner.token }, ghostOf(victim.ids));
    if (expectation.whileSuspended === 'allowed') expect(status).not.toBe(402);
    else expect(status).toBe(402);
  });

  it.each(TENANT.filter(([, { action }]) => action !== 'read'))('403 for a viewer: %s', async (key, expectation) => {
    const { status, text } = await aimed(key, expectation, { token: victim.viewer.token });
    expect(status, text).toBe(403);
    expect(JSON.parse(text).details).toEqual({ grant: `${expectation.action} on ${expectation.resource} is required` });
    await nothingChanged();
  });

  it.each(TENANT.filter(([, { action }]) => action === 'read'))('let in for a viewer: %s', async (key, expectation) => {
    const { status, text } = await aimed(key, expectation, { token: victim.viewer.token });
    expect(status, text).toBe(200);
    await nothingChanged();
  });
});

describe('confined to another branch of the same tenant', () => {
  const withConfined = (confined: TenantExpectation['confined']) =>
    TENANT.filter(([, line]) => line.confined === confined);

  it.each(withConfined('refused'))('403: %s', async (key, expectation) => {
    const { status, text } = await aimed(key, expectation, { token: victim.confined.token });
    expect(status, text).toBe(403);
    await nothingChanged();
  });

  it.each(withConfined('blind'))('blind: %s', async (key, expectation) => {
    const caller = { token: victim.confined.token };
    const ghost = { ...ghostOf(victim.ids), organization: victim.ids.organization };
    const asked = await aimed(key, expectation, caller);
    expect(leaked(asked, victim.ids, OF_A_BRANCH)).toEqual([]);
    await nothingChanged();
    const askedForNothing = await aimed(key, expectation, caller, ghost);
    expect(neutral(asked, victim.ids)).toBe(neutral(askedForNothing, ghost));
    await nothingChanged();
  });

  it.each(withConfined('barred'))('barred: %s', async (key, expectation) => {
    const asked = await aimed(key, expectation, { token: victim.confined.token });
    expect(asked.text).toMatch(/not the branch of this account/);
    if (asked.status < 400) expect(JSON.parse(asked.text).data.succeeded).toBe(0);
    expect(leaked(asked, victim.ids, OF_A_BRANCH)).toEqual([]);
    await nothingChanged();
  });

  it.each(withConfined('free'))('let in: %s', async (key, expectation) => {
    expect(['read', 'export'], 'a change must be refused or blind').toContain(expectation.action);
    const asked = await aimed(key, expectation, { token: victim.confined.token });
    expect(asked.status).toBe(200);
    expect(leaked(asked, victim.ids, OF_A_BRANCH)).toEqual([]);
  });
});

/** Of an organization that has allowed it in full: what a route refuses to support, it refuses whatever the scope. */
describe('with a support token', () => {
  const NO_SUPPORT = /secret|rotate|PATCH \/webhook-subscriptions/;
  let supported: string;

  it('opens the organization that has allowed it', async () => {
    const path = `/commercial/organizations/${victim.ids.supportedOrganization}/support-session`;
    const opened = await call<{ access_token: string }>(service.baseUrl, `PUT ${path}`, { token: operator.token });
    expect(opened.status).toBe(200);
    supported = opened.body.access_token;
  });

  it.each(TENANT)('403 in the organization of the victim: %s', async (key, expectation) => {
    const caller = { token: supported, organizationId: victim.ids.organization };
    expect((await aimed(key, expectation, caller)).status).toBe(403);
    await nothingChanged();
  });

  it.each(
    TENANT.filter(([key, { action, resource }]) => {
      if (action === 'read') return false;
      return NO_SUPPORT.test(key) || resource === 'Settings' || resource === 'Payments';
    }),
  )('403 for money, settings and secrets: %s', async (key, expectation) => {
    const { status, text } = await aimed(key, expectation, { token: supported }, ghostOf(victim.ids));
    expect(status, text).toBe(403);
    expect(JSON.parse(text).details).toEqual({ support: 'this is not open to support' });
  });

  it.each([...of('signed-in'), ...of('credentials'), ...of('commercial')])('403: %s', async (key, expectation) => {
    const { status, text } = await aimed(key, expectation, { token: supported }, ghostOf(victim.ids));
    expect(status, text).toBe(key === 'GET /auth/account' ? 200 : 403);
  });
});

/** What may come about does so in one's own branch; after those who watch that nothing does. */
describe('confined to another branch, what is made', () => {
  it.each(TENANT.filter(([, line]) => line.confined === 'own'))('is in that branch: %s', async (key, expectation) => {
    const made = await aimed(key, expectation, { token: victim.confined.token });
    expect(made.status, made.text).toBe(201);
    const { order_id } = JSON.parse(made.text).data;
    const seen = await call(service.baseUrl, `GET /orders/${order_id}`, { token: victim.confined.token });
    expect(seen.status).toBe(200);
    expect(leaked(made, victim.ids, OF_A_BRANCH)).toEqual([]);
  });
});

/** After those who watch the victim: where the rule asks for the grant, the key was let in, and that is noted. */
describe('with an API key of the same tenant', () => {
  it.each(forKeys)('403 without the grant: %s', async (key, expectation) => {
    const { status, text } = await aimed(key, expectation, { apiKey: victim.uselessKeyText });
    expect(status, text).toBe(403);
    const { details } = JSON.parse(text);
    expect(details).toEqual({ grant: `${expectation.action} on ${expectation.resource} is required` });
  });
});

/** After those who watch the victim, for the same reason. */
describe('with every grant, but no owner', () => {
  it.each(TENANT.filter(([, { ownerOnly }]) => ownerOnly === true))('403: %s', async (key, expectation) => {
    for (const caller of [{ token: member.token }, { apiKey: victim.fullKeyText }]) {
      const { status, text } = await aimed(key, expectation, caller);
      expect(status, text).toBe(403);
      expect(JSON.parse(text).details).toMatchObject({ role: 'owner is required' });
    }
  });
});

/** Last, since they change what the others watch: without these, a request that is refused for its form would show nothing. */
describe('the same requests from who may', () => {
  const RANK = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  const rankOf = ([key]: [string, Expectation]) => RANK.indexOf(key.split(' ')[0] ?? '');
  const inOrder = EXPECTED.toSorted((one, other) => rankOf(one) - rankOf(other));

  it.each(forKeys.filter(([key]) => key.startsWith('GET')))('succeed with a key: %s', async (key, expectation) => {
    const { status, text } = await aimed(key, expectation, { apiKey: victim.fullKeyText });
    expect(status, text).toBe(200);
  });

  it.each(inOrder.filter(([, { access }]) => access === 'tenant' || access === 'credentials'))(
    'succeed: %s',
    async (key, expectation) => {
      const { status, text } = await aimed(key, expectation, { token: victim.owner.token });
      expect(status, text).toBeLessThan(300);
      // In bulk calls a row that is not found is no HTTP error, so it is looked for.
      if (!key.startsWith('GET')) expect(text).not.toMatch(/"failed":[1-9]/);
      const isCommon = expectation.access === 'tenant' && expectation.common === true;
      if (key.startsWith('GET') && !isCommon)
        expect(Object.values(victim.ids).some((id) => text.includes(id))).toBe(true);
    },
  );

  it.each(of('commercial'))('succeed for the operator: %s', async (key, expectation) => {
    const authentication = /totp|password-reset/.test(key)
      ? await authenticationFor(service.baseUrl, key, await testAccount(service.sql, null))
      : {};
    const { status, text } = await aimed(key, { ...expectation, ...authentication }, { token: operator.token });
    expect(status, text).toBeLessThan(300);
  });

  it.each(inOrder.filter(([, { access }]) => access === 'signed-in'))(
    'succeed for a person: %s',
    async (key, expectation) => {
      const person = /logout|password|totp/.test(key)
        ? await testAccount(service.sql, victim.ids.organization)
        : victim.owner;
      const authentication = await authenticationFor(service.baseUrl, key, person);
      const { status, text } = await aimed(key, { ...expectation, ...authentication }, { token: person.token });
      expect(status, text).toBeLessThan(300);
    },
  );
});
