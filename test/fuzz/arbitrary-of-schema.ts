import fc from 'fast-check';
import type { JsonSchema } from '../harness/documented-routes.ts';
import { anyValue, hostileNumber, hostileText, oddDates } from './hostile-values.ts';

/** Values for a schema: mostly what it asks for, often at its edges, and now and then something else altogether. */
export function arbitraryOf(schema: JsonSchema | undefined, depth = 0): fc.Arbitrary<unknown> {
  if (schema === undefined || depth > 6) return anyValue;
  const asked = askedFor(schema, depth);
  return fc.oneof({ arbitrary: asked, weight: 24 }, { arbitrary: anyValue, weight: 1 });
}

function askedFor(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, depth + 1)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return anyValue;
  return fc.oneof(...types.map((type) => ofType(type, schema, depth)));
}

function ofType(type: string, schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(type, schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf(schema.items, depth + 1), { maxLength: 4 });
    case 'object':
      return objectOf(schema, depth);
    default:
      return anyValue;
  }
}

function textOf({ format, minLength = 0, maxLength = 1000 }: JsonSchema): fc.Arbitrary<unknown> {
  if (format === 'date-time')
    return fc.oneof(
      oddDates,
      fc.date({ noInvalidDate: true }).map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    );
  const longest = Math.min(maxLength, 20_000);
  const usual = fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(longest, 30)) });
  // Exactly as long as allowed, and one longer.
  const edges = fc.constantFrom(
    'x'.repeat(longest),
    'ي'.repeat(longest),
    '😀'.repeat(longest),
    'x'.repeat(longest + 1),
  );
  return mostly(usual, edges, hostileText);
}

function numberOf(type: 'integer' | 'number', { minimum = -1e6, maximum = 1e6 }: JsonSchema): fc.Arbitrary<unknown> {
  const [from, to] = [Math.max(minimum, -1e15), Math.min(maximum, 1e15)];
  const inside =
    type === 'integer'
      ? fc.integer({ min: Math.ceil(Math.max(from, -(2 ** 31))), max: Math.floor(Math.min(to, 2 ** 31 - 1)) })
      : fc.double({ min: from, max: to, noNaN: true });
  return mostly(inside, fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1), hostileNumber);
}

function objectOf({ properties = {}, required = [] }: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const value = arbitraryOf(schema, depth + 1);
      // What is required is seldom left out, so that most requests pass validation.
      const isThere = required.includes(name) ? 0.97 : 0.5;
      return [
        name,
        fc
          .tuple(fc.double({ min: 0, max: 1, noNaN: true }), value)
          .map(([chance, given]) => (chance < isThere ? given : undefined)),
      ];
    }),
  );
  const extra = fc.oneof(
    { arbitrary: fc.constant({}), weight: 5 },
    { arbitrary: fc.dictionary(hostileText, anyValue, { maxKeys: 2 }), weight: 1 },
  );
  return fc.tuple(fc.record(fields), extra).map(([known, unknown]) => ({ ...unknown, ...known }));
}

function mostly(usual: fc.Arbitrary<unknown>, edges: fc.Arbitrary<unknown>, hostile: fc.Arbitrary<unknown>) {
  return fc.oneof({ arbitrary: usual, weight: 6 }, { arbitrary: edges, weight: 1 }, { arbitrary: hostile, weight: 1 });
}
