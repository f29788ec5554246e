/** What the tests need of an OpenAPI document. */
export type JsonSchema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  example?: unknown;
  examples?: unknown[];
};
export type Content = { schema?: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> };
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
};
export type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<
    string,
    { description?: string; headers?: Record<string, object>; content?: Record<string, Content> }
  >;
};
export type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components?: Record<string, Record<string, object>>;
};

export type DocumentedRoute = { key: string; method: string; path: string; operation: Operation };

const API_PREFIX = '/api/v1';

/** The document with everything in place of its references: what reads one schema need not know of the others. */
export function resolved<Part>(document: OpenApiDocument, part: Part): Part {
  if (Array.isArray(part)) return part.map((item) => resolved(document, item)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  if ('$ref' in part && typeof part.$ref === 'string') {
    const { $ref, ...beside } = part;
    const [kind = '', name = ''] = $ref.slice('#/components/'.length).split('/');
    const target = document.components?.[kind]?.[name];
    if (target === undefined) throw new Error(`${$ref} leads nowhere`);
    return { ...resolved(document, target), ...beside } as Part;
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(document, value)])) as Part;
}

/** Every operation under a key such as `GET /branches/{ivId}`, without references. */
export function routesOf(document: OpenApiDocument): DocumentedRoute[] {
  return Object.entries(resolved(document, document.paths)).flatMap(([fullPath, operations]) =>
    Object.entries(operations).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      const path = fullPath.startsWith(API_PREFIX) ? fullPath.slice(API_PREFIX.length) : fullPath;
      return { key: `${method} ${path}`, method, path, operation };
    }),
  );
}

export function examplesOf(content: Content | undefined): unknown[] {
  if (content === undefined) return [];
  const named = Object.values(content.examples ?? {}).map(({ value }) => value);
  const own = content.example === undefined ? named : [...named, content.example];
  // What the schema shows is for those places that show nothing of their own.
  const { example, examples = [] } = content.schema ?? {};
  return own.length > 0 ? own : example === undefined ? examples : [example, ...examples];
}

export const jsonBodyOf = (operation: Operation) => operation.requestBody?.content['application/json'];

/** What a query cannot do without, by its examples: `?a=1&b=2`, or nothing. */
export function requiredQueryOf({ parameters = [] }: Operation): string {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
  const pairs = needed.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
