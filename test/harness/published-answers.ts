import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { call, type Reply } from './client.ts';
import { type DocumentedRoute, type OpenApiDocument, routesOf } from './documented-routes.ts';

/** What is wrong with an answer by the API description; nothing when it is as described. */
export type AnswerCheck = (target: string, reply: Reply<unknown>) => string[];

/**
 * Holds answers against the schema that the service publishes for their route and status. A field that the schema does not
 * name is a fault, unless it says that others may be there.
 */
export function publishedAnswers(baseUrl: string): Promise<AnswerCheck> {
  check ??= call<OpenApiDocument>(baseUrl, 'GET /openapi.json').then(({ body }) => checkBy(body));
  return check;
}

/** All services of a process publish the same description; to make it takes a second of a core. */
let check: Promise<AnswerCheck> | undefined;

function checkBy(document: OpenApiDocument): AnswerCheck {
  const routes = routesOf(document);
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const compiled = new Map<object, ValidateFunction>();
  return (target, reply) => {
    const route = routeOf(routes, target);
    if (route === undefined) return [`${target} is not described`];
    if (reply.status >= 400 && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(reply.headers.get('x-error-reason') ?? '')) {
      return [`${route.key} ${reply.status} has no X-Error-Reason`];
    }
    const { responses } = route.operation;
    const answer = responses[reply.status] ?? responses[`${String(reply.status)[0]}XX`];
    if (answer === undefined) return [`${route.key} does not describe ${reply.status}`];
    const type = reply.headers.get('content-type')?.split(';')[0];
    if (answer.content === undefined) return reply.text === '' ? [] : [`${route.key} ${reply.status} has a body`];
    const schema = answer.content[type ?? '']?.schema;
    if (schema === undefined) return [`${route.key} ${reply.status} does not describe ${type}`];
    const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as object);
    compiled.set(schema, validate);
    const value = type === 'application/json' ? reply.body : reply.text;
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${route.key} ${reply.status} ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** The route whose path fits with the fewest parameters: `/orders/dashboard` is not an order called dashboard. */
function routeOf(routes: DocumentedRoute[], target: string): DocumentedRoute | undefined {
  const [method, address = ''] = target.split(' ', 2);
  const path = address.split('?')[0] ?? '';
  const fits = routes.filter((route) => {
    const pattern = route.path.replaceAll(/\{\w+\}/g, '[^/]+');
    return route.method === method && new RegExp(`^${pattern}$`).test(path);
  });
  return fits.sort((one, other) => parametersOf(one) - parametersOf(other))[0];
}

const parametersOf = (route: DocumentedRoute) => route.path.split('{').length;

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'examples' || key === 'enum' ? value : closed(value)]),
  );
  const isOpen = inner.properties === undefined || inner.additionalProperties !== undefined;
  return isOpen ? inner : { ...inner, additionalProperties: false };
}
