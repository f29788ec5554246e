import { beforeAll, describe, expect, it } from 'vitest';
import type { Schema } from '../../src/platform/http/openapi/document.ts';
import { withoutNotes } from '../../src/platform/http/openapi/name-schemas.ts';
import { newId } from '../../src/platform/ids.ts';
import {
  type Content,
  type DocumentedRoute,
  examplesOf,
  type OpenApiDocument,
  requiredQueryOf,
  routesOf,
} from '../harness/documented-routes.ts';
import {
  call,
  commercialAccount,
  type Reply,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../harness/index.ts';

let service: TestService;
let shop: TestOrganization;
let operatorsToken: string;
let document: OpenApiDocument;
let routes: DocumentedRoute[];
beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
  operatorsToken = (await commercialAccount(service.sql)).token;
  document = (await call<OpenApiDocument>(service.baseUrl, 'GET /openapi.json')).body;
  routes = routesOf(document);
});

const faultsOf = (find: (route: DocumentedRoute) => string[]) =>
  routes.flatMap((route) => find(route).map((fault) => `${route.key}: ${fault}`));
const refusalsOf = (route: DocumentedRoute) =>
  Object.entries(route.operation.responses).filter(([status]) => /^[45]/.test(status));
const bodyOf = ({ operation }: DocumentedRoute) => operation.requestBody?.content['application/json'];
const jsonOf = (content: Record<string, Content> | undefined) => content?.['application/json'];

describe('for readers', () => {
  it('says of every operation what it does and refuses, and of every parameter what it is', () => {
    const faults = faultsOf(({ operation: { description, summary, parameters = [] } }) => [
      ...((description ?? '').length < 10 || description === summary ? ['no description'] : []),
      ...parameters
        .filter((one) => (one.description ?? '').length < 5)
        .map((one) => `nothing on ${one.in} ${one.name}`),
      ...parameters
        .filter((one) => one.in !== 'query' && one.example === undefined && one.examples === undefined)
        .map((one) => `no example of ${one.name}`),
    ]);
    expect(faults).toEqual([]);
  });

  it('says what the tags, the headers, the ways to authenticate and the webhooks are', () => {
    const { tags, info } = document as unknown as {
      tags: { description?: string }[];
      info: { description: string };
    };
    expect(tags.filter(({ description = '' }) => description.length < 5)).toEqual([]);
    for (const heading of ['Authentication', 'Pages', 'Errors', 'Repeating safely', 'Events', 'Statuses', 'Limits']) {
      expect(info.description).toContain(`## ${heading}`);
    }
    const { securitySchemes, parameters, headers } = document.components ?? {};
    const all = [securitySchemes, parameters, headers].flatMap((parts) => Object.values(parts ?? {}));
    expect(all.filter((part) => !('description' in part))).toEqual([]);
    const pushes = Object.values(document.webhooks ?? {}).map(({ post }) => post);
    expect(pushes.map((push) => push?.parameters?.map(({ name }) => name))).toEqual(
      pushes.map(() => [
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
        'x-svc-event-type',
        'x-svc-organization-id',
      ]),
    );
    expect(JSON.stringify(document.webhooks)).toContain('#/components/schemas/OrderEvent');
  });

  it('shows the headers that a request may carry and that an answer may', () => {
    const named = (key: string) => routes.find((route) => route.key === key)?.operation;
    const taken = (key: string) =>
      named(key)
        ?.parameters?.filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name);
    expect(taken('POST /orders')).toEqual(['Idempotency-Key', 'X-Async', 'X-Organization-ID', 'Prefer']);
    expect(taken('GET /branches')).toEqual(['X-Organization-ID', 'Prefer']);
    expect(taken('POST /leads')).toEqual(['Idempotency-Key', 'Prefer']);
    expect(taken('GET /ping')).toBeUndefined();
    const given = (key: string, status: number) => Object.keys(named(key)?.responses[status]?.headers ?? {});
    expect(given('POST /orders', 201)).toEqual(['x-request-id', 'Idempotency-Hit', 'X-Ignored-Fields']);
    expect(given('POST /orders', 503)).toEqual(['x-request-id', 'X-Error-Reason', 'Retry-After']);
    expect(given('GET /orders/dashboard/export', 200)).toContain('X-Truncated');
    expect(
      faultsOf(({ operation }) =>
        Object.entries(operation.responses)
          .filter(([, { headers = {} }]) => !('x-request-id' in headers))
          .map(([status]) => `${status} without x-request-id`),
      ),
    ).toEqual([]);
  });
});

describe('names', () => {
  const AT_MOST_UNNAMED = 4;

  it('has the things of the service by name, and its words', () => {
    const schemas = document.components?.schemas ?? {};
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        ...['Order', 'OrderEvent', 'CanonicalOrder', 'Branch', 'Product', 'Sku', 'Customer', 'WebhookSubscription'],
        ...['Delivery', 'Job', 'Problem', 'LeadProblem', 'BulkOutcome', 'Pagination'],
      ]),
    );
    for (const name of [
      ...['EventType', 'OrderStatus', 'PaymentStatus', 'BranchStatus', 'WebhookStatus', 'DeliveryStatus', 'JobStatus'],
    ]) {
      expect([name, (schemas[name] as Schema | undefined)?.enum]).toEqual([name, expect.arrayContaining([])]);
    }
  });

  it('writes nothing out that has a name', () => {
    const schemas = document.components?.schemas ?? {};
    const known = new Map(Object.entries(schemas).map(([name, schema]) => [print(schema as Schema), name]));
    const copies: string[] = [];
    const look = (part: unknown, at: string, isNamed: boolean): void => {
      if (typeof part !== 'object' || part === null) return;
      const name = known.get(print(part as Schema));
      if (name !== undefined && !isNamed && size(part) > 2) copies.push(`${at} is ${name}`);
      for (const [key, inner] of Object.entries(part)) {
        if (!['example', 'examples', 'enum', 'required'].includes(key)) look(inner, `${at}/${key}`, false);
      }
    };
    for (const [name, schema] of Object.entries(schemas)) look(schema, name, true);
    look(document.paths, 'paths', false);
    look(document.webhooks, 'webhooks', false);
    expect(copies).toEqual([]);
  });

  it('has a name for every body and answer', () => {
    const faults: string[] = [];
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries(operations)) {
        const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
        for (const content of contents) {
          const schema = jsonOf(content)?.schema;
          if (schema !== undefined && size(schema) > AT_MOST_UNNAMED) faults.push(`${method} ${path}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  const print = (schema: Schema) => JSON.stringify(withoutNotes(schema));
  const size = (part: unknown): number =>
    typeof part === 'object' && part !== null
      ? 1 + Object.values(part).reduce<number>((total, inner) => total + size(inner), 0)
      : 0;
});

describe('refusals', () => {
  type Refusal = { code?: number; error?: string; status?: number; message?: string };
  const wordsOf = (body: Refusal) => body.error ?? body.message;

  it('are described by status, each with an example of it', () => {
    const faults = faultsOf((route) =>
      refusalsOf(route).flatMap(([status, { content }]) => {
        const examples = examplesOf(jsonOf(content)) as Refusal[];
        if (!/^\d{3}$/.test(status)) return [`${status} is no status`];
        if (examples.length === 0) return [`${status} without an example`];
        return examples
          .filter((body) => (body.code ?? body.status) !== Number(status))
          .map((body) => `${status} shows ${JSON.stringify(body)}`);
      }),
    );
    expect(faults).toEqual([]);
  });

  /** Asks every route that describes the status in a way that has to give it, and compares the words. */
  async function provoke(status: number, ask: (route: DocumentedRoute) => Promise<Reply<Refusal>> | undefined) {
    const faults: string[] = [];
    let asked = 0;
    for (const route of routes) {
      const answer = await ask(route);
      if (answer === undefined) continue;
      asked += 1;
      const described = examplesOf(jsonOf(route.operation.responses[status]?.content)) as Refusal[];
      if (answer.status !== status) faults.push(`${route.key} gave ${answer.status} instead of ${status}`);
      else if (!described.some((body) => wordsOf(body) === wordsOf(answer.body))) {
        faults.push(`${route.key} ${status} says "${wordsOf(answer.body)}", which is not described`);
      }
    }
    expect(faults).toEqual([]);
    return asked;
  }

  /** Of an account that the route admits. */
  const tokenFor = ({ path }: DocumentedRoute) => (path.startsWith('/commercial/') ? operatorsToken : shop.owner.token);
  const describes = (route: DocumentedRoute, status: number) => route.operation.responses[status] !== undefined;
  const pathOf = (route: DocumentedRoute) =>
    route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (name === 'ivId' ? 'NOWHERE' : newId()));
  const send = (route: DocumentedRoute, options: Parameters<typeof call>[2] = {}) => {
    const [example] = examplesOf(bodyOf(route));
    const body = example === undefined ? {} : { body: example };
    const target = `${route.method} ${pathOf(route)}${requiredQueryOf(route.operation)}`;
    return call<Refusal>(service.baseUrl, target, { ...body, ...options });
  };

  it('401 is the answer without a token', async () => {
    const isOwnWord = (route: DocumentedRoute) =>
      /^POST \/(auth|ingest)\//.test(route.key) && route.operation.security?.length === 0;
    const asked = await provoke(401, (route) => (describes(route, 401) && !isOwnWord(route) ? send(route) : undefined));
    expect(asked).toBeGreaterThan(60);
    const silent = routes.filter((route) => !describes(route, 401)).map(({ operation }) => operation.security);
    expect(silent.flat()).toEqual([]);
  });

  it('402 is the answer to a suspended organization', async () => {
    const suspended = await testOrganization(service.sql);
    await service.sql`update organizations set suspended_at = now() where id = ${suspended.id}`;
    const asked = await provoke(402, (route) =>
      describes(route, 402) ? send(route, { token: suspended.owner.token }) : undefined,
    );
    expect(asked).toBeGreaterThan(40);
  });

  it('403 is the answer to an account of another organization', async () => {
    const takesOrganization = ({ operation }: DocumentedRoute) =>
      operation.parameters?.some(({ name }) => name === 'X-Organization-ID') === true;
    const asked = await provoke(403, (route) =>
      describes(route, 403) && takesOrganization(route)
        ? send(route, { token: shop.owner.token, headers: { 'x-organization-id': newId() } })
        : undefined,
    );
    expect(asked).toBeGreaterThan(40);
  });

  it('404 is the answer for unknown ids', async () => {
    const asked = await provoke(404, (route) =>
      describes(route, 404) ? send(route, { token: tokenFor(route) }) : undefined,
    );
    expect(asked).toBeGreaterThan(20);
    const silent = routes.filter((route) => route.path.includes('{') && !describes(route, 404)).map(({ key }) => key);
    expect(silent).toEqual([]);
  });

  it('400, 413 and 422 are the answers to invalid bodies', async () => {
    const hasBody = (route: DocumentedRoute) => bodyOf(route) !== undefined;
    const json = { 'content-type': 'application/json' };
    const asked = await provoke(400, (route) =>
      hasBody(route) ? send(route, { token: tokenFor(route), body: undefined, raw: '{', headers: json }) : undefined,
    );
    expect(asked).toBeGreaterThan(20);
    const tooLong = `"${'x'.repeat(1_100_000)}"`;
    const takesMore = ({ path, method }: DocumentedRoute) =>
      (path.endsWith('/bulk') && method === 'POST') || path === '/staging/{id}/payload';
    await provoke(413, (route) =>
      hasBody(route) && !takesMore(route)
        ? send(route, { token: tokenFor(route), body: undefined, raw: tooLong, headers: json })
        : undefined,
    );
    await provoke(422, (route) =>
      hasBody(route) && describes(route, 422) && !/^\/(branches|leads)/.test(route.path)
        ? send(route, { token: tokenFor(route), body: 'nonsense' })
        : undefined,
    );
  });
});
