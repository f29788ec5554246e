import { parseDate } from '@internationalized/date';
import { describe, expect, it } from 'vitest';
import { dayBounds } from '../src/features/orders/day-bounds.ts';
import { lineNames, productsToLookUp } from '../src/features/orders/line-names.ts';
import { subtotalOf } from '../src/features/orders/subtotal.ts';

type Priced = Parameters<typeof subtotalOf>[0];
const order = (subtotal: number, totals: readonly (number | null)[]): Priced =>
  ({ amounts: { subtotal }, lines: totals.map((total) => ({ total })) }) as unknown as Priced;

describe('the subtotal of an order', () => {
  it.each([
    ['is the subtotal of the channel', order(17.5, [20]), 17.5],
    ['is the sum of the lines when the channel sends none', order(0, [0.1, 0.2, 12.345]), 12.645],
    ['leaves out lines without a price', order(0, [null, 5]), 5],
    ['is 0 without a subtotal and lines', order(0, []), 0],
  ])('%s', (_what, priced, expected) => {
    expect(subtotalOf(priced)).toBe(expected);
  });
});

describe('the names of the lines of an order', () => {
  const line = (product_id: string | null, name: string | null) => ({ product_id, sku_id: null, name });
  const lines = [line('P-1', 'Panadol 500 mg'), line('P-2', 'فيفادول بلس'), line('P-3', 'Tea'), line(null, 'Gift')];
  const sent = { lines } as unknown as Parameters<typeof lineNames>[0];
  const stored = { products: [{}, {}, { name_ar: 'شاي' }, {}] };

  it('are those of the catalog where the channel sent another script, and of the stored order', () => {
    expect(productsToLookUp(sent, stored, 'ar')).toEqual(['P-1']);
    expect(lineNames(sent, stored, 'ar', { 'P-1': 'بنادول', 'P-2': 'لا يُعرض' })).toEqual([
      'بنادول',
      'فيفادول بلس',
      'شاي',
      'Gift',
    ]);
  });

  it('are also found for a reader of English', () => {
    expect(productsToLookUp(sent, undefined, 'en')).toEqual(['P-2']);
    expect(lineNames(sent, undefined, 'en', { 'P-2': 'Fevadol Plus' })[1]).toBe('Fevadol Plus');
  });

  it('stay as the channel sent them while the catalog is unknown or has no other name', () => {
    expect(lineNames(sent, undefined, 'ar')[0]).toBe('Panadol 500 mg');
    expect(lineNames(sent, undefined, 'en', { 'P-2': '' })[1]).toBe('فيفادول بلس');
  });
});

describe('the bounds of a day', () => {
  // Riyadh has no summer time; clocks change at midnight in Cairo, and at two or three in New York and Lord Howe, there by half an hour.
  const changes = ['03-08', '04-05', '04-24', '10-04', '10-30', '11-01'].flatMap((day) =>
    [-1, 0, 1].map((by) => ({ day, by })),
  );
  it.each(['Asia/Riyadh', 'Africa/Cairo', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'])(
    'are those of the calendar library in %s',
    (timeZone) => {
      for (const { day: monthDay, by } of [...changes, { day: '01-01', by: 0 }, { day: '12-31', by: 0 }]) {
        const day = parseDate(`2026-${monthDay}`).add({ days: by });
        const { first, last } = dayBounds(day.toString(), timeZone);
        expect(first, day.toString()).toEqual(day.toDate(timeZone));
        expect(last, day.toString()).toEqual(new Date(day.add({ days: 1 }).toDate(timeZone).getTime() - 1));
      }
    },
  );
});
