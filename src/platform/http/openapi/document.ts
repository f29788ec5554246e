/** The parts of an OpenAPI 3.1 document that are read and written here. */
export type Schema = { [keyword: string]: unknown };
/** `x-disabled`: the reference page shows the parameter and leaves it out of its example requests. */
export type Example = { value: unknown; 'x-disabled'?: boolean };
export type Reference = { $ref: string };
export type Media = { schema?: Schema; example?: unknown; examples?: Record<string, Example> };
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
  examples?: Record<string, Example>;
};
export type Header = { description: string; schema: Schema; example?: unknown };
export type Response = {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, Media>;
};
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, Media> };
  responses: Record<string, Response>;
};
export type PathItem = Record<string, Operation>;
export type Document = {
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components: {
    schemas?: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    headers?: Record<string, Header>;
    securitySchemes?: Record<string, object>;
  };
};

export function operationsOf(document: Document): Operation[] {
  return [document.paths, document.webhooks ?? {}].flatMap((items) => Object.values(items).flatMap(Object.values));
}

export const isReference = (part: object): part is Reference => '$ref' in part;
