import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { knownNamesOf } from './known-names.ts';

describe('the names of a schema', () => {
  it('are those of all that a value may be, and none of what may hold anything', () => {
    const free = Type.Object({ a: Type.String() }, { additionalProperties: true });
    const closed = Type.Object({ b: Type.Array(Type.Object({ c: Type.Null() })), free, any: Type.Unknown() });
    const names = knownNamesOf(Type.Union([closed, Type.Array(Type.Object({ d: Type.Integer() })), Type.Null()]));
    expect([...(names?.fields?.keys() ?? [])]).toEqual(['b', 'free', 'any']);
    expect([...(names?.fields?.get('b')?.items?.fields?.keys() ?? [])]).toEqual(['c']);
    expect([names?.fields?.get('free'), names?.fields?.get('any')]).toEqual([null, null]);
    expect([...(names?.items?.fields?.keys() ?? [])]).toEqual(['d']);
    expect(knownNamesOf(Type.Union([closed, free]))).toBeNull();
    expect(knownNamesOf(Type.Record(Type.String(), Type.String()))).toBeNull();
  });
});
