import type { Static, TObject } from 'typebox';

/**
 * Only what a schema names, of a body that passed it. Bodies may hold more than that, and whatever is stored or handed
 * on must not.
 */
export function declaredFieldsOf<Schema extends TObject>(schema: Schema): (given: unknown) => Static<Schema> {
  const names = Object.keys(schema.properties);
  return (given) => {
    const body = given as Record<string, unknown>;
    const declared = names.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]);
    return Object.fromEntries(declared) as Static<Schema>;
  };
}
