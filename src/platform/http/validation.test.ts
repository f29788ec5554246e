import { type TSchema, Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { compileItemValidator, compileValidator } from './validation.ts';

/** What is said of one field `f` with this schema when it holds this value. */
function complaint(schema: TSchema, value: unknown): string | undefined {
  return compileItemValidator(Type.Object({ f: schema }))({ f: value })?.f;
}

const choice = Type.Union([Type.Literal('New'), Type.Literal('Pending')]);
const nullable = Type.Union([Type.String({ maxLength: 3 }), Type.Null()]);

describe('what is said of a field', () => {
  it.each([
    ['a missing field', Type.String(), undefined, 'is required'],
    ['a wrong type', Type.String(), 5, 'must be a string'],
    ['a number in text', Type.Integer(), '5', 'must be an integer'],
    ['a fraction', Type.Integer(), 5.5, 'must be an integer'],
    ['more than a number can hold', Type.Number(), Number.POSITIVE_INFINITY, 'must be a number'],
    ['null', Type.Boolean(), null, 'must be a boolean'],
    ['an array for an object', Type.Object({}), [], 'must be an object'],
    ['empty text', Type.String({ minLength: 1 }), '', 'must not be empty'],
    ['short text', Type.String({ minLength: 8 }), 'short', 'must have at least 8 characters'],
    ['long text', Type.String({ maxLength: 3 }), 'long', 'must have at most 3 characters'],
    ['letters are counted, not code units', Type.String({ maxLength: 3 }), '😀😀😀', undefined],
    ['no item', Type.Array(Type.String(), { minItems: 1 }), [], 'at least one is required'],
    ['too few items', Type.Array(Type.String(), { minItems: 2 }), ['a'], 'must have at least 2 items'],
    ['too many items', Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b'], 'must have at most 1 items'],
    ['too small', Type.Number({ minimum: 0 }), -1, 'must be at least 0'],
    ['too large', Type.Number({ maximum: 100 }), 101, 'must be at most 100'],
    ['a wrong email', Type.String({ format: 'email' }), 'x', 'must be a valid email address such as sara@example.com'],
    [
      'a day that does not exist',
      Type.String({ format: 'date-time' }),
      '2026-02-30T00:00:00Z',
      'must be an RFC 3339 time such as 2026-11-15T18:30:00+03:00',
    ],
    ['a wrong form', Type.String({ pattern: '^[A-Z]{3}$' }), 'sar', 'has a wrong format'],
    [
      'a wrong form that is described',
      Type.Union([Type.String({ pattern: '^[A-Z]{3}$', description: 'three letters such as SAR' }), Type.Null()]),
      'riyal',
      'has a wrong format: three letters such as SAR',
    ],
    ['blank text', Type.String({ pattern: '\\S' }), '  ', 'must not be blank'],
    ['no day', Type.String({ format: 'date' }), 'tomorrow', 'must be a date such as 2026-11-15'],
    ['none of a list', Type.Enum(['a', 'b']), 'c', 'must be one of a, b'],
    ['another constant', Type.Literal('Bearer'), 'Basic', 'must be Bearer'],
    ['none of several constants', choice, 'Old', 'must be one of New, Pending'],
    ['a wrong type for constants', choice, 7, 'must be one of New, Pending'],
    ['neither text nor null', nullable, 7, 'must be a string or null'],
    ['text that is too long where null would do', nullable, 'long', 'must have at most 3 characters'],
    ['null where null will do', nullable, null, undefined],
  ])('%s', (_what, schema, value, expected) => {
    expect(complaint(schema, value)).toBe(expected);
  });
});

describe('an object or null', () => {
  const place = Type.Union([Type.Object({ lat: Type.Number({ maximum: 90 }) }), Type.Null()]);

  it('reports the field inside the object, not that it could have been null', () => {
    expect(compileItemValidator(Type.Object({ place }))({ place: { lat: 91 } })).toEqual({
      'place.lat': 'must be at most 90',
    });
    expect(compileItemValidator(place)({ lat: 91 })).toEqual({ lat: 'must be at most 90' });
  });

  it('reports itself when it is neither', () => {
    expect(compileItemValidator(Type.Object({ place }))({ place: 5 })).toEqual({ place: 'must be an object or null' });
  });
});

describe('the names of fields', () => {
  const check = compileItemValidator(
    Type.Object({
      name: Type.String(),
      products: Type.Array(Type.Object({ sku_id: Type.String(), 'odd/na~me': Type.Optional(Type.String()) })),
    }),
  );

  it('lead to the place, with numbers for items', () => {
    expect(check({ products: [{ sku_id: 's' }, { 'odd/na~me': 5 }] })).toEqual({
      name: 'is required',
      'products.1.sku_id': 'is required',
      'products.1.odd/na~me': 'must be a string',
    });
  });

  it('are "body" for the body itself', () => {
    expect(check([])).toEqual({ body: 'must be an object' });
  });

  it('are absent when nothing is wrong, and unknown fields are let be', () => {
    expect(check({ name: 'n', products: [], colour: 'red' })).toBeUndefined();
  });
});

describe('a body with very many faults', () => {
  const check = compileItemValidator(Type.Object({ ids: Type.Array(Type.String()) }));

  it('reports at most fifty fields', () => {
    const said = check({ ids: Array.from({ length: 200 }, (_, index) => index) });
    expect(Object.keys(said ?? {})).toHaveLength(50);
  });

  it('reports only the first error when collecting all would cost gigabytes', () => {
    const heapBefore = process.memoryUsage().heapUsed;
    const said = check({ ids: new Array(2_000_000).fill(0) });
    expect(said).toEqual({ 'ids.0': 'must be a string' });
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('where a value comes from', () => {
  const schema = Type.Object({
    page: Type.Optional(Type.Integer({ default: 1 })),
    active: Type.Optional(Type.Boolean()),
  });
  const validatorOf = (httpPart: string) => {
    const validate = compileValidator({ schema, method: 'GET', url: '/', httpPart });
    return (value: object) => ({ ok: validate(value) === true, value });
  };

  it('decides whether text is turned into a number', () => {
    expect(validatorOf('querystring')({ page: '7', active: 'true' })).toEqual({
      ok: true,
      value: { page: 7, active: true },
    });
    expect(validatorOf('body')({ page: '7' }).ok).toBe(false);
  });

  it('lets defaults stand for what is absent', () => {
    expect(validatorOf('querystring')({})).toEqual({ ok: true, value: { page: 1 } });
  });

  it.each([[{ page: 'seven' }], [{ page: ['1', '2'] }], [{ page: '' }], [{ active: 'maybe' }]])(
    'refuses %j',
    (query) => {
      expect(validatorOf('querystring')(query).ok).toBe(false);
    },
  );
});
