import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isId, nameBasedId, newId } from './ids.ts';

describe('ids', () => {
  it('are ids, each its own, in the order in which they were made', () => {
    const made = Array.from({ length: 2000 }, newId);
    expect(made.every(isId)).toBe(true);
    expect(new Set(made).size).toBe(made.length);
    expect(made.toSorted()).toEqual(made);
  });

  it.each(['', 'x', '0193a1f07c0070008000000000000001', '{0193a1f0-7c00-7000-8000-000000000001}', 7, null, undefined])(
    'are not %j',
    (value) => {
      expect(isId(value)).toBe(false);
    },
  );

  it('have nothing before, after or between', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(36), (noise, at) => {
        const id = newId();
        expect(isId(id.slice(0, at) + noise + id.slice(at))).toBe(false);
      }),
    );
  });

  it('may be written in capitals', () => {
    expect(isId(newId().toUpperCase())).toBe(true);
  });
});

describe('an id based on a name', () => {
  it('equals the example of RFC 9562', () => {
    const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    expect(nameBasedId('www.example.com', dns)).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });
});
