import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beginningWith } from './text-range.ts';

const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const isWithin = (text: string, beginning: string) => {
  const { from, to } = beginningWith(beginning);
  return compare(text, from) >= 0 && compare(text, to) < 0;
};
const text = fc.string({ unit: 'grapheme', minLength: 1 });

it('contains exactly the texts with this beginning', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(isWithin(one + other, one)).toBe(true);
      expect(isWithin(other, one)).toBe(other.startsWith(one));
    }),
  );
});

it.each(['\u{10ffff}', 'a\u{10ffff}', '\ud7ff', '\uffff', '~'])(
  'ends after the last text that begins with %j',
  (beginning) => {
    if (beginning === '\u{10ffff}') return expect(() => beginningWith(beginning)).toThrow();
    expect(isWithin(beginning, beginning)).toBe(true);
    expect(isWithin(`${beginning}\u{10ffff}\u{10ffff}`, beginning)).toBe(true);
  },
);
