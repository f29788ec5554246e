import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { defineWords, translator, type Words } from '../src/i18n/define-words.ts';
import { createFormat } from '../src/i18n/format.ts';

const ROOT = path.resolve(import.meta.dirname, '../src');
const files = globSync('**/{words,shared-words}.ts', { cwd: ROOT });

const dictionaries: [name: string, words: Words][] = [];
for (const file of files) {
  const module: Record<string, unknown> = await import(pathToFileURL(path.join(ROOT, file)).href);
  for (const [name, words] of Object.entries(module)) dictionaries.push([`${file} ${name}`, words as Words]);
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const textsOf = (entry: string | object): string[] => (typeof entry === 'string' ? [entry] : Object.values(entry));

describe.each(dictionaries)('%s', (_name, { en, ar }) => {
  it('has the same keys and placeholders in both languages', () => {
    expect(Object.keys(ar)).toEqual(Object.keys(en));
    for (const [key, english] of Object.entries(en)) {
      const arabic = ar[key] ?? '';
      const wanted = new Set(textsOf(english).flatMap(placeholders));
      for (const text of textsOf(arabic)) {
        expect(text.trim(), key).not.toBe('');
        // Zero, one and two are words in Arabic and need no number.
        for (const name of placeholders(text)) expect([...wanted], `${key}: ${text}`).toContain(name);
      }
      if (typeof english === 'string') expect(placeholders(String(arabic)), key).toEqual(placeholders(english));
    }
  });
});

it('finds the dictionaries of the pages', () => {
  expect(dictionaries.length).toBeGreaterThan(5);
});

it('uses all six Arabic plural forms', () => {
  const words = defineWords(
    { orders: { one: '{count} order', other: '{count} orders' } },
    {
      orders: {
        zero: 'صفر',
        one: 'واحد',
        two: 'اثنان',
        few: '{count} قليل',
        many: '{count} كثير',
        other: '{count} غير',
      },
    },
  );
  const ar = translator(words, 'ar', String);
  expect([0, 1, 2, 3, 11, 100].map((count) => ar('orders', { count }))).toEqual([
    'صفر',
    'واحد',
    'اثنان',
    '3 قليل',
    '11 كثير',
    '100 غير',
  ]);
  const en = translator(words, 'en', String);
  expect([0, 1, 2].map((count) => en('orders', { count }))).toEqual(['0 orders', '1 order', '2 orders']);
  // @ts-expect-error a count is needed
  en('orders');
  // @ts-expect-error Arabic has to count in full
  defineWords({ a: { one: 'x', other: 'y' } }, { a: { one: 'x', other: 'y' } });
  // @ts-expect-error a key is missing
  defineWords({ a: 'x', b: 'y' }, { a: 'x' });
});

describe('createFormat', () => {
  const en = createFormat('en', 'Asia/Riyadh');
  const ar = createFormat('ar', 'Asia/Riyadh');

  it('writes the hour of a date as it writes a time', () => {
    const early = '2026-11-18T23:05:00Z';
    expect(en.time(early)).toBe('02:05');
    expect(en.dateTime(early)).toMatch(/19 Nov 2026,? (at )?02:05$/);
    expect(ar.dateTime(early)).toContain(ar.time(early));
  });

  it('writes Latin digits in both languages', () => {
    for (const text of [ar.number(1234.5), ar.money(27.5), ar.date('2026-11-15T22:00:00Z'), ar.hijri('2026-11-15')]) {
      expect(text).toMatch(/[0-9]/);
      expect(text).not.toMatch(/[٠-٩]/);
    }
    expect(en.money(27.5)).toContain('27.50');
  });

  it('formats dates in the time zone of the organization, Gregorian and Hijri', () => {
    expect(en.date('2026-11-15T22:00:00Z')).toBe('16 Nov 2026');
    expect(en.hijri('2026-11-15T09:00:00Z')).toMatch(/1448/);
    expect(ar.hijri('2026-11-15T09:00:00Z')).toMatch(/1448/);
    expect(ar.date('2026-11-15T09:00:00Z')).toMatch(/2026/);
  });

  it('formats how long ago a time was', () => {
    const now = Date.parse('2026-11-15T12:00:00Z');
    expect(en.relative(now - 120_000, now)).toBe('2 min ago');
    expect(en.when(now - 9 * 86_400_000, now)).toBe('6 Nov 2026');
    expect(ar.date('2026-11-15T09:00:00Z')).toMatch(/نوفمبر/);
    expect(en.relative(now - 3 * 86_400_000, now)).toBe('3 days ago');
  });
});
