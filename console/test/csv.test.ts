import { describe, expect, it } from 'vitest';
import { guardFormula as guardInService, openCsv } from '../../src/platform/csv/index.ts';
import { FORMULAS } from '../../src/platform/csv/testing/formulas.ts';
import { type CsvRow, guardFormula, readCsv, writeCsv } from '../src/features/catalog/import/csv.ts';

describe('readCsv', () => {
  it.each([
    ['spaces in and around quotes', 'iv_id,name_en\n" A1 ", Tea \n'],
    ['line breaks in quotes', 'iv_id,name_en\r\nA1,"two\r\nlines"\r\nA2,"a\nb"\r\nA3,x\r\n'],
    ['blank lines', '\n\niv_id,name_en\n\nA1,x\n\n\nA2,y'],
    ['semicolons', 'iv_id;name_en;average_price\nA1;"x;y";1,5\n'],
    ['quotes inside an unquoted cell', 'iv_id,name_en\nA1,TV 24"\nA2,"TV ""24"\n'],
    ['a byte order mark', '\uFEFFiv_id,name_en\nA1,x\n'],
    ['carriage returns alone', 'iv_id,name_en\rA1,x\rA2,y\r'],
    ['rows of different lengths', 'iv_id,name_en\nA1\nA2,x,y\n'],
  ])('reads a file with %s as the service does', async (_, text) => {
    const inService = [];
    const { lines } = await openCsv(onePiece(text));
    for await (const { line, cells } of lines) inService.push({ line, cells });
    expect(await readCsv(text)).toEqual(inService);
  });

  it('skips rows that hold nothing but delimiters', async () => {
    expect(await readCsv('iv_id,name_en\n , \n,\nA1,x\n')).toEqual([
      { line: 1, cells: ['iv_id', 'name_en'] },
      { line: 4, cells: ['A1', 'x'] },
    ]);
  });

  it('names the line of a quote that is not closed', async () => {
    expect(await readCsv('iv_id,name_en\nA1,x\nA2,"y\nA3,z\n')).toEqual({ kind: 'quotes', line: 3 });
  });

  it('reports a file without rows as empty', async () => {
    expect(await readCsv(' \n\n')).toEqual({ kind: 'empty' });
  });
});

describe('the file of rejected rows', () => {
  it.each(FORMULAS)('guards the cell %j as the exports of the service do', (text) => {
    expect(guardFormula(text).startsWith("'") || /^[+-]?\d+$/.test(text)).toBe(true);
    expect(guardFormula(`${text}x`)).toBe(guardInService(`${text}x`));
  });

  it('is read back with the same cells and numbers', async () => {
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

async function* onePiece(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
