import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { guardFormula, withoutFormulaGuard } from './formula-guard.ts';
import { FORMULAS } from './testing/formulas.ts';
import { writeCsv } from './write-csv.ts';

describe('writing CSV', () => {
  test.each(FORMULAS)('puts an apostrophe before the text %j', (text) => {
    const [row] = parse(writeCsv([[text, 'x']])) as string[][];
    expect(row).toEqual([`'${text}`, 'x']);
  });

  test('leaves numbers, decimals and other text as they are', () => {
    const cells = [-5, 12.5, { decimal: '-3.50' }, { decimal: null }, null, 'a=b', 'حليب', "O'Neil", '3-4', ''];
    expect(writeCsv([cells])).toBe("-5,12.5,-3.50,,,a=b,حليب,O'Neil,3-4,\r\n");
  });

  test('quotes every kind of line end, and ends rows as asked', () => {
    expect(writeCsv([['a\rb'], ['c\u2028d']], { lineEnd: '\n' })).toBe('"a\rb"\n"c\u2028d"\n');
  });

  test('gives back any text when the guard is taken off again', () => {
    const parts = fc.constantFrom("'", '=', '-', ' ', '\t', '\u200b', '＝', 'a', '1', '\r');
    const text = fc.array(parts, { maxLength: 6 }).map((all) => all.join(''));
    fc.assert(fc.property(text, (given) => withoutFormulaGuard(guardFormula(given)) === given));
  });
});
