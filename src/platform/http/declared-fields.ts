import type { Static, TObject } from 'typebox';

/**
 * Only the declared fields of a valid body. Bodies may hold unknown fields, which must not be stored or passed on.
 */
export function declaredFieldsOf<Schema extends TObject>(schema: Schema): (body: unknown) => Static<Schema> {
  const names = Object.keys(schema.properties);
  return (input) => {
    const body = input as Record<string, unknown>;
    const declared = names.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]);
    return Object.fromEntries(declared) as Static<Schema>;
  };
}
