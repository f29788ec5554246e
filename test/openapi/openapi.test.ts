import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Content,
  type DocumentedRoute,
  examplesOf,
  type OpenApiDocument,
  routesOf,
} from '../harness/documented-routes.ts';
import { call, testService } from '../harness/index.ts';

const COMMITTED = path.resolve(import.meta.dirname, '../../openapi.json');

let document: OpenApiDocument;
let routes: DocumentedRoute[];
beforeAll(async () => {
  const { baseUrl } = await testService();
  document = (await call<OpenApiDocument>(baseUrl, 'GET /openapi.json')).body;
  routes = routesOf(document);
});

/** Every fault in one message: a test a route would not say which routes there are before the service has started. */
function faultsOf(find: (route: DocumentedRoute) => string | undefined): string[] {
  return routes.flatMap((route) => {
    const fault = find(route);
    return fault === undefined ? [] : [`${route.key}: ${fault}`];
  });
}

const successes = ({ operation }: DocumentedRoute) =>
  Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
const contents = (content: Record<string, Content> | undefined) => Object.entries(content ?? {});

describe('the API description', () => {
  it('has nothing that the linter calls an error', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: {
        'operation-operationId': 'error',
        'operation-operationId-url-safe': 'error',
        'operation-tag-defined': 'error',
        'no-unresolved-refs': 'error',
      },
    });
    const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config });
    const lines = problems.map(
      ({ severity, ruleId, message, location }) => `${severity} ${ruleId} ${message} ${location[0]?.pointer}`,
    );
    expect(lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('names every operation once, says what it does and where it belongs', () => {
    const faults = faultsOf(({ operation: { operationId, summary, tags, security } }) => {
      if (operationId === undefined || !/^[a-z][A-Za-z]+$/.test(operationId)) return `operationId ${operationId}`;
      if (summary === undefined || summary.length < 5) return `summary ${summary}`;
      if (tags?.length !== 1) return `tags ${tags}`;
      return security === undefined ? 'no security' : undefined;
    });
    expect(faults).toEqual([]);
    const names = routes.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('describes numbers that page a list as integers', () => {
    const counts = new Set(['page', 'limit', 'perPage', 'horizon', 'wait']);
    const faults = faultsOf(({ operation }) => {
      const wrong = operation.parameters?.find(
        (parameter) => parameter.in === 'query' && counts.has(parameter.name) && parameter.schema?.type !== 'integer',
      );
      return wrong && `${wrong.name} is ${JSON.stringify(wrong.schema)}`;
    });
    expect(faults).toEqual([]);
  });

  it('shows an example of every body', () => {
    const faults = faultsOf(({ operation }) => {
      const bare = contents(operation.requestBody?.content).find(([, content]) => examplesOf(content).length === 0);
      return bare && `${bare[0]} without an example`;
    });
    expect(faults).toEqual([]);
  });

  it('shows an example of every answer that has a body', () => {
    const faults = faultsOf((route) => {
      if (successes(route).length === 0) return 'no 2xx answer';
      for (const [status, { content }] of successes(route)) {
        if (status !== '204' && content === undefined) return `${status} without a body`;
        // A picture needs no picture.
        const readable = contents(content).filter(([type]) => !type.startsWith('image/'));
        const bare = readable.find(([, shown]) => examplesOf(shown).length === 0);
        if (bare !== undefined) return `${status} ${bare[0]} without an example`;
      }
      return undefined;
    });
    expect(faults).toEqual([]);
  });

  it('shows examples that are right by its own schemas', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const wrong = (content: Content): string | undefined => {
      if (content.schema === undefined) return undefined;
      const validate = ajv.compile(content.schema);
      const bad = examplesOf(content).find((example) => !validate(example));
      return bad === undefined ? undefined : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(bad)}`;
    };
    const faults = faultsOf((route) => {
      const bodies = contents(route.operation.requestBody?.content);
      const answers = Object.values(route.operation.responses).flatMap(({ content }) => contents(content));
      return [...bodies, ...answers].map(([, content]) => wrong(content)).find((fault) => fault !== undefined);
    });
    expect(faults).toEqual([]);
  });

  it('describes authentication, and refusals in their shape', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Dukkan', version: '1.0.0' },
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, apiKey: { name: 'X-API-Key', in: 'header' } },
      },
    });
    const faults = faultsOf(({ operation }) =>
      operation.responses['400'] === undefined || operation.responses['503'] === undefined
        ? 'does not say how it refuses'
        : undefined,
    );
    expect(faults).toEqual([]);
  });

  it('is the one that is committed (npm run openapi writes it)', async () => {
    expect(JSON.parse(await readFile(COMMITTED, 'utf8'))).toEqual(document);
  });
});
