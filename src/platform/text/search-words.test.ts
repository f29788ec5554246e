import { describe, expect, it } from 'vitest';
import { idTag, searchableWords, typedWords, wordQuery, wordVector } from './search-words.ts';

const organizationId = '019a95f1-2b3c-7d4e-8f50-617283940a1b';
const tag = idTag(organizationId);

describe('searchable words', () => {
  it.each<[string, string[]]>([
    ['Ahmed Al-Otaibi', ['ahmed', 'al', 'otaibi']],
    ['  أَحـمد   صالح ', ['احمد', 'صالح']],
    ["O'Brien", ["o'brien", 'brien']],
    ['Dr.Ahmed(Riyadh)', ['dr.ahmed(riyadh)', 'ahmed(riyadh)', 'riyadh)']],
    ['Sara sara SARA', ['sara']],
    ['-', []],
    ['50% off', ['50%', 'off']],
  ])('of %j are %j', (name, words) => expect(searchableWords(name)).toEqual(words));

  it('of two names are listed once', () => {
    expect(searchableWords('Nora Ali', 'ali hasan')).toEqual(['nora', 'ali', 'hasan']);
    expect(searchableWords(null, null)).toEqual([]);
  });

  it('are bounded, on both sides alike', () => {
    const commas = Array.from({ length: 60 }, (_, at) => `w${at}`).join(',');
    expect(searchableWords(commas).length).toBe(9);
    const long = 'x'.repeat(255);
    expect(searchableWords(long)).toEqual(typedWords(long));
    expect(searchableWords('😀'.repeat(127))[0]?.isWellFormed()).toBe(true);
  });
});

it('quotes lexemes', () => {
  expect(wordVector(tag, ["o'b", 'a\\'])).toBe(`'${tag}o''b' '${tag}a\\\\'`);
  expect(wordQuery(tag, ['a&b', 'c:*'])).toBe(`'${tag}a&b':* & '${tag}c:*':*`);
  expect([wordVector(tag, []), wordQuery(tag, [])]).toEqual([null, undefined]);
});

it('gives a tenant a tag of six characters', () => {
  expect(tag).toMatch(/^[0-9a-v]{6}$/);
  expect(idTag('00000000-0000-0000-0000-000000000000')).toBe('000000');
});
