import { describe, expect, it } from 'vitest';
import { chooseWidths } from '../e2e/harness/overflow.ts';

const BREAKPOINTS = [640, 900, 900, 960];
const widths = (language: 'en' | 'ar', isThorough = false) => chooseWidths(BREAKPOINTS, { language, isThorough });

describe('the widths at which a page is checked', () => {
  it('include the narrowest width above each breakpoint, in one of the two languages', () => {
    const both = new Set([...widths('en'), ...widths('ar')]);
    for (const width of [320, 641, 901, 961, 1920]) expect(both).toContain(width);
  });

  it('are the same in both languages up to 641 px, and different ones above', () => {
    const narrow = (all: number[]) => all.filter((width) => width <= 641);
    expect(narrow(widths('en'))).toEqual([320, 400, 480, 641]);
    expect(narrow(widths('ar'))).toEqual(narrow(widths('en')));
    expect(widths('en').filter((width) => width > 641 && widths('ar').includes(width))).toEqual([]);
  });

  it('are every 80 px and every breakpoint in both languages in a thorough check', () => {
    expect(widths('en', true)).toEqual(widths('ar', true));
    expect(widths('en', true)).toHaveLength(21 + 3);
  });
});
