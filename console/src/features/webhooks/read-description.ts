import type { Schemas } from '@dukkan/sdk';

/** The subset of JSON Schema that the service uses. */
export type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
};

type Push = {
  post: { requestBody: { content: { 'application/json': { schema: Schema; example?: Record<string, unknown> } } } };
};

/** The part of the OpenAPI document that describes events. */
export type Description = {
  webhooks?: Record<string, Push>;
  components: { schemas: Record<string, Schema> };
};

export type EventKind = {
  type: string;
  /** Its name in the change feed; tests are not in the feed. */
  orderType: Schemas['EventType'] | undefined;
  schema: Schema;
  example: Record<string, unknown>;
};

export function resolve(schema: Schema, { components }: Description): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  const target = name === undefined ? undefined : components.schemas[name];
  if (target === undefined) return schema;
  const { $ref: _, ...own } = schema;
  return { ...resolve(target, { components }), ...own };
}

/** Every type of every push, by what its `type` may be. */
export function eventsIn(document: Description): EventKind[] {
  return Object.values(document.webhooks ?? {}).flatMap(({ post }) => {
    const { schema, example = {} } = post.requestBody.content['application/json'];
    const whole = resolve(schema, document);
    const type = whole.properties?.type === undefined ? {} : resolve(whole.properties.type, document);
    const names = (type.enum ?? [type.const]).filter((name): name is string => typeof name === 'string');
    return names.map((name) => ({
      type: name,
      orderType: type.enum === undefined ? undefined : (name as Schemas['EventType']),
      schema: whole,
      // One example is used for all types: its `type` is replaced.
      example: { ...example, type: name, ...(type.enum !== undefined && { change: name.split('.')[1] }) },
    }));
  });
}
