import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIRECT_CHANNEL, NO_BRANCH } from '../order.ts';
import { buildOrder } from '../place/build-order.ts';
import type { ExportedOrder } from '../sql/columns.ts';
import { csvHead, csvText } from './csv.ts';

const at = new Date('2026-11-15T08:00:00Z');

function exported(fields: Partial<ExportedOrder>): ExportedOrder {
  const input = {
    order_status: 'RECEIVED',
    fulfillment_status: 'None',
    skus: ['A', 'B'],
    products: [],
    total_amount: 28.75,
  };
  return { ...buildOrder('o', input, NO_BRANCH, DIRECT_CHANNEL, at), ...fields };
}

/** Cells as a spreadsheet finds them: outside of quotes any carriage return or line feed ends a row. */
function readLikeASpreadsheet(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    const row = rows.at(-1) ?? [];
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') cell += text[++index];
      else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === ',' || character === '\r' || character === '\n') {
      if (character === '\r' && text[index + 1] === '\n') index += 1;
      row.push(cell);
      cell = '';
      if (character !== ',') rows.push([]);
    } else cell += character;
  }
  return rows.slice(0, -1);
}

const calculates = (cell: string) => /^[\s\u200b-\u200f\ufeff]*[=+\-@＝＋－＠]/u.test(cell);

const nasty = fc
  .array(
    fc.constantFrom(
      '=',
      '+',
      '-',
      '@',
      '＝',
      '＋',
      '－',
      '＠',
      '\r',
      '\n',
      '\r\n',
      '\t',
      ' ',
      '"',
      ',',
      "'",
      'a',
      '١',
      '\u2028',
      '\u00a0',
      '\u200b',
      '=1+1',
      '\r=1',
      ';',
      '|',
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('csvText', () => {
  test('has one row per order and no formula for any reader', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(nasty, nasty, nasty), { minLength: 1, maxLength: 4 }), (texts) => {
        const orders = texts.map(([customer_name, comment, sku]) => exported({ customer_name, comment, skus: [sku] }));
        const text = csvHead() + csvText(orders);
        const rows = parse(text, { bom: true }) as string[][];
        expect(rows).toHaveLength(orders.length + 1);
        const seen = readLikeASpreadsheet(text.slice(1));
        expect(seen).toEqual(rows);
        expect(seen.flat().filter(calculates)).toEqual([]);
        const names = rows[0] ?? [];
        for (const [index, [customerName, comment]] of texts.entries()) {
          const row = rows[index + 1] ?? [];
          expect([customerName, `'${customerName}`]).toContain(row[names.indexOf('customer_name')]);
          expect([comment, `'${comment}`]).toContain(row[names.indexOf('comment')]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each(['=1', ' =1', '\u00a0+1', '\r=1', '\n-1', '\t@x', '\ufeff=1', '\u200b=1', '＋1', '\rplain'])(
    'puts a quote before %j',
    (comment) => {
      const [, row] = parse(csvHead() + csvText([exported({ comment })]), { bom: true }) as string[][];
      expect(row).toContain(`'${comment}`);
    },
  );

  test('leaves numbers and other text unchanged', () => {
    const text = csvText([exported({ customer_name: 'a=b', total_amount: 12.5, comment: 'x\ry' })]);
    expect(text).toContain(',12.5,');
    expect(text).toContain(',a=b,');
    expect(text).toContain(',"x\ry"\r\n');
  });
});
