import { isDeepStrictEqual } from 'node:util';
import { type Document, isReference, type Media, operationsOf, type Schema } from './document.ts';

const SCHEMAS = '#/components/schemas/';
const refTo = (name: string) => ({ $ref: `${SCHEMAS}${name}` });

/**
 * Moves every schema with a `title` to the components under that name and replaces it with a reference. It works on the finished
 * document, so the validating schemas stay whole, without a `$ref` to resolve.
 *
 * `describedAs` is for documentation only: the name of another schema, or a schema, shown in place of the validating one. Some rules
 * accept any value and return better errors than a schema could.
 */
export function nameSchemas(document: Document): void {
  const components = document.components.schemas ?? {};
  const wanted = new Set<string>();
  document.components.schemas = components;
  replaceSchemas(document, hoist);
  const missing = [...wanted].find((name) => components[name] === undefined);
  if (missing !== undefined) throw new Error(`the API description refers to a schema without a title: ${missing}`);

  const bare = new Map(Object.entries(components).map(([name, schema]) => [name, withoutNotes(schema)]));
  for (const [name, schema] of Object.entries(components)) components[name] = referInside(schema);
  replaceSchemas(document, refer);
  document.components.schemas = Object.fromEntries(
    Object.entries(components).sort(([one], [other]) => (one < other ? -1 : 1)),
  );

  function hoist(schema: Schema): Schema {
    const { describedAs, title, ...rest } = mapInner(schema, hoist);
    if (describedAs !== undefined) return show(describedAs as string | Schema, rest.description);
    if (title === undefined) return rest;
    const name = String(title);
    const known = components[name];
    if (known === undefined) components[name] = rest;
    else if (!isDeepStrictEqual(withoutNotes(known), withoutNotes(rest))) {
      throw new Error(`two different schemas are titled ${name}`);
    } else components[name] = { ...rest, ...known };
    return refTo(name);
  }

  function show(instead: string | Schema, description: unknown): Schema {
    const shown = typeof instead === 'string' ? refTo(instead) : hoist(instead);
    if (typeof instead === 'string') wanted.add(instead);
    return description === undefined ? shown : { ...shown, description };
  }

  /** An inline schema that equals a named one becomes a reference to it. */
  function refer(schema: Schema): Schema {
    if (schema.properties === undefined && schema.enum === undefined) return referInside(schema);
    const plain = withoutNotes(schema);
    for (const [name, known] of bare) if (isDeepStrictEqual(known, plain)) return refTo(name);
    return referInside(schema);
  }

  function referInside(schema: Schema): Schema {
    return mapInner(schema, refer);
  }
}

function replaceSchemas(document: Document, replace: (schema: Schema) => Schema): void {
  const inMedia = (content: Record<string, Media> = {}) => {
    for (const media of Object.values(content)) if (media.schema) media.schema = replace(media.schema);
  };
  for (const operation of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (!isReference(parameter)) parameter.schema = replace(parameter.schema);
    }
    inMedia(operation.requestBody?.content);
    for (const response of Object.values(operation.responses)) inMedia(response.content);
  }
}

const OF_ONE = ['items', 'not', 'additionalProperties'];
const OF_MANY = ['anyOf', 'allOf', 'oneOf', 'prefixItems'];

function mapInner(schema: Schema, change: (inner: Schema) => Schema): Schema {
  const changed = { ...schema };
  const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
  for (const key of OF_ONE) if (isSchema(schema[key])) changed[key] = change(schema[key]);
  for (const key of OF_MANY) if (Array.isArray(schema[key])) changed[key] = schema[key].map(change);
  if (isSchema(schema.properties)) {
    changed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [name, change(inner as Schema)]),
    );
  }
  return changed;
}

/** The validating part of a schema, without annotations, which may differ between uses. */
export function withoutNotes(schema: Schema): Schema {
  const { title, description, examples, example, default: _default, ...rest } = schema;
  return mapInner(rest, withoutNotes);
}
