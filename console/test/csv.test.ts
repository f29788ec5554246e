import { describe, expect, it } from 'vitest';
import { guardFormula as guardInService } from '../../src/platform/csv/index.ts';
import { FORMULAS } from '../../src/platform/csv/testing/formulas.ts';
import { type CsvRow, guardFormula, readCsv, writeCsv } from '../src/features/catalog/import/csv.ts';

describe('the file of rejected rows', () => {
  it.each(FORMULAS)('guards the cell %j as the exports of the service do', (text) => {
    expect(guardFormula(text).startsWith("'") || /^[+-]?\d+$/.test(text)).toBe(true);
    expect(guardFormula(`${text}x`)).toBe(guardInService(`${text}x`));
  });

  it('comes back as it was, with its numbers', async () => {
    const rows = [
      ['iv_id', 'name_en', 'average_price'],
      ['=1+1', '＝2', '-5'],
      ["'=3", '@x', '12.5'],
    ];
    const text = writeCsv(rows);
    expect(text).toContain("\r\n'=1+1,'＝2,-5\r\n''=3,'@x,12.5\r\n");
    expect(((await readCsv(text.slice(1))) as CsvRow[]).map(({ cells }) => cells)).toEqual(rows);
  });
});
