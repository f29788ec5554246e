/**
 * The names that a value may hold, as its schema declares them. Null where the schema declares none: a text, a number, or an object
 * with arbitrary fields of the client.
 */
export type KnownNames = {
  /** Of an object; null where it may hold anything. */
  fields: ReadonlyMap<string, KnownNames | null> | null;
  /** Of each item of a list. */
  items: KnownNames | null;
};

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  patternProperties?: object;
  additionalProperties?: boolean | object;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
};

/** The inside of a value by its schema: known names, nothing (a scalar), or anything. */
type Inside = KnownNames | 'nothing' | 'anything';

/** Called once per route, at registration. */
export function knownNamesOf(schema: object | undefined): KnownNames | null {
  const inside = schema === undefined ? 'anything' : insideOf(schema as Schema);
  return typeof inside === 'string' ? null : inside;
}

function insideOf(schema: Schema): Inside {
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined) return choices.map(insideOf).reduce(merge, 'nothing');
  const types = [schema.type ?? []].flat();
  if (types.includes('object') || schema.properties !== undefined) return insideOfObject(schema);
  if (types.includes('array')) return insideOfList(schema);
  const isNarrowed = types.length > 0 || schema.const !== undefined || schema.enum !== undefined;
  return isNarrowed ? 'nothing' : 'anything';
}

function insideOfObject({ properties, patternProperties, additionalProperties }: Schema): Inside {
  const isFree = patternProperties !== undefined || (additionalProperties ?? false) !== false;
  if (properties === undefined || isFree) return 'anything';
  const fields = Object.entries(properties).map(([name, schema]) => [name, knownNamesOf(schema)] as const);
  return { fields: new Map(fields), items: null };
}

function insideOfList({ items }: Schema): Inside {
  const names = knownNamesOf(items);
  return names === null ? 'nothing' : { fields: null, items: names };
}

/** Of a union, the names of all alternatives are known. */
function merge(one: Inside, other: Inside): Inside {
  if (one === 'anything' || other === 'anything') return 'anything';
  if (one === 'nothing') return other;
  if (other === 'nothing') return one;
  return { fields: mergeFields(one.fields, other.fields), items: mergeNames(one.items, other.items) };
}

function mergeFields(one: KnownNames['fields'], other: KnownNames['fields']): KnownNames['fields'] {
  if (one === null || other === null) return one ?? other;
  const fields = new Map(one);
  for (const [name, names] of other) fields.set(name, one.has(name) ? mergeNames(one.get(name), names) : names);
  return fields;
}

function mergeNames(one: KnownNames | null | undefined, other: KnownNames | null): KnownNames | null {
  if (one === null || one === undefined || other === null) return one ?? other;
  const merged = merge(one, other);
  return typeof merged === 'string' ? null : merged;
}
