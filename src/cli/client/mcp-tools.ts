import { DukkanError, type RawRequest } from '../../../sdk/src/index.ts';
import { findClosestWord } from '../../platform/text/closest-word.ts';
import { UsageError } from '../command.ts';
import type { ShownTool } from './mcp-protocol.ts';

type Schema = Record<string, unknown>;
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema };
type Operation = {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
};
/** As much of the description of an API as tools are made of. */
export type ApiDescription = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> };
};

export type Tool = {
  shown: ShownTool;
  method: string;
  path: string;
  /** Where each argument goes. */
  places: Record<string, 'path' | 'query' | 'body'>;
  required: string[];
  takesKey: boolean;
};

const API_PREFIX = '/api/v1';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every read whose answer is text, and the writes that are allowed by name. */
export function describeTools(description: ApiDescription, allowed: ReadonlySet<string>): Map<string, Tool> {
  const all = new Map<string, Tool>();
  const tools = new Map<string, Tool>();
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const method of METHODS) {
      const operation = methods[method];
      if (operation === undefined || !isReadable(operation) || !isSendable(operation)) continue;
      const tool = describeTool(description, path, method, operation);
      all.set(operation.operationId, tool);
      if (method === 'get' || allowed.has(operation.operationId)) tools.set(operation.operationId, tool);
    }
  }
  for (const name of allowed) {
    if (all.has(name)) continue;
    const closest = findClosestWord(name, [...all.keys()]);
    throw new UsageError(
      `--allow: there is no operation ${name}${closest === undefined ? '' : `; did you mean ${closest}?`}`,
    );
  }
  return tools;
}

/** Neither pictures nor a stream that never ends. */
function isReadable({ responses }: Operation): boolean {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .every(([, { content = {} }]) => {
      const types = Object.keys(content);
      return types.length === 0 || types.some((type) => type === 'application/json' || type === 'text/csv');
    });
}

function isSendable({ requestBody }: Operation): boolean {
  return requestBody === undefined || 'application/json' in requestBody.content;
}

function describeTool(description: ApiDescription, path: string, method: string, operation: Operation): Tool {
  const parameters = (operation.parameters ?? []).map((given) =>
    '$ref' in given ? (description.components.parameters?.[given.$ref.split('/').pop() ?? ''] as Parameter) : given,
  );
  const named = parameters.filter((parameter) => parameter.in === 'path' || parameter.in === 'query');
  const body = operation.requestBody?.content['application/json']?.schema;
  const properties: Record<string, object> = Object.fromEntries(
    named.map(({ name, description: meaning, schema }) => [
      name,
      { ...schema, ...(meaning === undefined ? {} : { description: meaning }) },
    ]),
  );
  const places: Tool['places'] = Object.fromEntries(
    named.map(({ name, in: place }) => [name, place as 'path' | 'query']),
  );
  const required = named.filter((parameter) => parameter.required || parameter.in === 'path').map(({ name }) => name);
  if (body !== undefined) {
    properties.body = body;
    places.body = 'body';
    if (operation.requestBody?.required !== false) required.push('body');
  }
  const inputSchema = selfContained({ type: 'object', properties, required, additionalProperties: false }, description);
  const isRead = method === 'get';
  return {
    shown: {
      name: operation.operationId,
      description: [operation.summary, operation.description].filter(Boolean).join('. '),
      inputSchema,
      annotations: {
        title: operation.summary,
        readOnlyHint: isRead,
        ...(isRead
          ? {}
          : { destructiveHint: method !== 'post', idempotentHint: method === 'put' || method === 'delete' }),
        openWorldHint: false,
      },
    },
    method: method.toUpperCase(),
    path: path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path,
    places,
    required,
    takesKey: parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key'),
  };
}

/** The shapes that a schema names come along with it, and what it is an example of does not. */
function selfContained(schema: Schema, { components }: ApiDescription): Schema {
  const $defs: Record<string, unknown> = {};
  const copy = (value: unknown, parent = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(
      ([name]) => parent === 'properties' || (name !== 'example' && name !== 'examples'),
    );
    return Object.fromEntries(
      entries.map(([name, part]) => {
        const named = name === '$ref' && typeof part === 'string' ? part.split('/').pop() : undefined;
        if (named === undefined) return [name, copy(part, name)];
        if (!(named in $defs)) {
          $defs[named] = {};
          $defs[named] = copy(components.schemas[named] ?? {});
        }
        return ['$ref', `#/$defs/${named}`];
      }),
    );
  };
  const whole = copy(schema) as Schema;
  return Object.keys($defs).length === 0 ? whole : { ...whole, $defs };
}

/** What the service would say of a wrong argument it says itself; only what would reach another address is refused here. */
export function requestOf(tool: Tool, given: Record<string, unknown>): RawRequest {
  const { shown, method, places, required, takesKey } = tool;
  const refuse = (message: string) =>
    new DukkanError(message, { status: 0, reason: 'invalid-arguments', operation: shown.name });
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(places, name)) throw refuse(`${shown.name} takes no ${name}: ${Object.keys(places).join(', ')}`);
  }
  for (const name of required) if (given[name] === undefined) throw refuse(`${shown.name} needs ${name}`);
  const path = tool.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const text = String(given[name]);
    if (text === '' || text === '.' || text === '..') throw refuse(`${name} cannot be "${text}"`);
    return encodeURIComponent(text);
  });
  const query = Object.fromEntries(Object.entries(given).filter(([name]) => places[name] === 'query'));
  return {
    operation: shown.name,
    method,
    path,
    query,
    ...(given.body === undefined ? {} : { body: given.body }),
    ...(takesKey ? { idempotencyKey: crypto.randomUUID() } : {}),
  };
}
