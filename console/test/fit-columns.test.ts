import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import type { Column } from '../src/ui/column.ts';
import { fitColumns, minPx, widenForTexts } from '../src/ui/fit-columns.ts';

const column = (id: string, width: string, from?: 'wide' | 'medium'): Column<unknown> => ({
  id,
  title: id,
  width,
  render: () => null,
  ...(from && { from }),
});
const columns = [
  column('order', 'minmax(150px, 1fr)'),
  column('customer', 'minmax(120px, 1fr)', 'medium'),
  column('channel', '96px', 'wide'),
  column('branch', '96px', 'wide'),
  column('status', '140px'),
  column('total', '120px'),
];
const shown = (tablePx: number, windowPx: number) => {
  const fit = fitColumns(columns, tablePx, windowPx);
  return { ids: fit.columns.map(({ id }) => id), isCards: fit.isCards };
};

describe('fitColumns', () => {
  it('shows every column where all of them fit', () => {
    expect(shown(1000, 1280).ids).toEqual(columns.map(({ id }) => id));
  });

  it('hides wide columns from the end, then medium ones, and never the others', () => {
    expect(shown(780, 1040).ids).toEqual(['order', 'customer', 'channel', 'status', 'total']);
    expect(shown(620, 880).ids).toEqual(['order', 'customer', 'status', 'total']);
    expect(shown(480, 760)).toEqual({ ids: ['order', 'status', 'total'], isCards: false });
  });

  it('shows cards in a window narrower than 720 px when a medium column does not fit, with wide columns in cards from 480 px on', () => {
    expect(shown(500, 719)).toEqual({ ids: columns.map(({ id }) => id), isCards: true });
    expect(shown(366, 390)).toEqual({ ids: ['order', 'customer', 'status', 'total'], isCards: true });
  });

  it('shows cards in any window when the columns that are never hidden do not fit', () => {
    expect(shown(300, 1280).isCards).toBe(true);
  });
});

describe('widenForTexts', () => {
  const money = (width: string, content: unknown): Column<string> => ({
    id: 'total',
    title: 'Total',
    width,
    end: true,
    render: (amount) => (content === 'text' ? amount : createElement('span', { shown: amount } as object)),
  });
  const width = (column: Column<string>, ...rows: string[]) => widenForTexts([column], rows)[0]?.width ?? '';
  const LONG = 'SAR 999,999,999,999.00';

  it('leaves a column whose amounts fit', () => {
    expect(width(money('120px', 'text'), 'SAR 12,345.67', 'SAR 8.00')).toBe('120px');
  });

  it('makes a column as wide as its longest amount, whatever else is in the cell', () => {
    const [text, field] = [money('120px', 'text'), money('96px', 'field')].map((column) =>
      width(column, 'SAR 8.00', LONG),
    );
    expect(text).toBe(field);
    expect(minPx({ ...money('', 'text'), width: text ?? '' })).toBeGreaterThan(160);
    expect(width(money('minmax(90px, 1fr)', 'text'), LONG)).toMatch(/^minmax\(1\d\dpx, 1fr\)$/);
    expect(width(money('1fr', 'text'), LONG)).toMatch(/^minmax\(1\d\dpx, 1fr\)$/);
  });

  it('leaves columns of words as they are', () => {
    expect(widenForTexts([column('name', '120px')], ['W'.repeat(200)])[0]?.width).toBe('120px');
  });
});
