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
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema?: JsonSchema };
export type Operation = {
  operationId?: string;
  summary?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
};
export type OpenApiDocument = { paths: Record<string, Record<string, Operation>> };

export type DocumentedRoute = { key: string; method: string; path: string; operation: Operation };

const API_PREFIX = '/api/v1';

/** Every operation under a key such as `GET /branches/{ivId}`. */
export function routesOf(document: OpenApiDocument): DocumentedRoute[] {
  return Object.entries(document.paths).flatMap(([fullPath, operations]) =>
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
  const own = [content.example, content.schema?.example].filter((example) => example !== undefined);
  return [...named, ...own, ...(content.schema?.examples ?? [])];
}

export const jsonBodyOf = (operation: Operation) => operation.requestBody?.content['application/json'];
