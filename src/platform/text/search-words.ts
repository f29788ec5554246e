import { LRUCache } from 'lru-cache';
import { foldForSearch } from './folding.ts';

const HYPHENS_AND_SPACES = /[\s\-\u2010-\u2015\u2212]+/u;
const NEITHER_LETTER_NOR_NUMBER = /[^\p{L}\p{N}\p{M}]/u;
const START_INSIDE_WORD = /[^\p{L}\p{N}\p{M}]+(?=[\p{L}\p{N}])/gu;

/** Longer words are cut, on both sides. The limit of a lexeme is 2,046 bytes, that of an index key 2,700. */
const MAX_WORD_LENGTH = 100;
/** Of one word with punctuation inside: a name of 255 commas must not become 255 index entries. */
const MAX_STARTS_INSIDE_WORD = 8;

/** The folded words of what a person typed. Spaces and hyphens separate words; every other character is part of one. */
export function typedWords(text: string): string[] {
  const folded = foldForSearch(text);
  return [...new Set(folded.split(HYPHENS_AND_SPACES).filter(Boolean).map(cut))];
}

/**
 * The folded words under which names are found. A word with punctuation inside is found from every letter or number after
 * punctuation too: `o'brien` under `o'brien` and `brien`.
 */
export function searchableWords(...texts: (string | null)[]): string[] {
  const words = texts.filter((text) => text !== null).flatMap(wordsOf);
  return words.length < 2 ? words : [...new Set(words)];
}

/**
 * Names are folded when their order is placed and again when its customer is counted, and customers return: 25 us each time for an
 * Arabic name.
 */
const recentWords = new LRUCache<string, readonly string[]>({ max: 4_096 });
const MAX_CACHED_LENGTH = 100;

function wordsOf(text: string): readonly string[] {
  const recent = recentWords.get(text);
  if (recent !== undefined) return recent;
  const words = splitWords(foldForSearch(text));
  if (text.length <= MAX_CACHED_LENGTH) recentWords.set(text, words);
  return words;
}

function splitWords(folded: string): string[] {
  const hasPunctuation = NEITHER_LETTER_NOR_NUMBER.test(folded);
  return folded
    .split(HYPHENS_AND_SPACES)
    .filter(Boolean)
    .flatMap((word) => (hasPunctuation ? [word, ...partsOf(word)].map(cut) : [cut(word)]));
}

function partsOf(word: string): string[] {
  const parts: string[] = [];
  for (const match of word.matchAll(START_INSIDE_WORD)) {
    if (parts.length === MAX_STARTS_INSIDE_WORD) break;
    parts.push(word.slice(match.index + match[0].length));
  }
  return parts;
}

function cut(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : word.slice(0, MAX_WORD_LENGTH).toWellFormed();
}

const TAG_BITS = 0x3fff_ffff;

/**
 * Six characters from the random end of an id. Every indexed word begins with the tag of its tenant, so that the entries of one
 * tenant are apart from those of the others. Two tenants may share a tag: the row's organization is compared as well.
 */
export function idTag(id: string): string {
  return (Number.parseInt(id.slice(-8), 16) & TAG_BITS).toString(32).padStart(6, '0');
}

/** A `tsvector` in PostgreSQL's text form. Null without words: the index leaves such rows out. */
export function wordVector(tag: string, words: readonly string[]): string | null {
  if (words.length === 0) return null;
  return words.map((word) => quote(tag + word)).join(' ');
}

/** A `tsquery` that matches when every word is the beginning of a word of the row. */
export function wordQuery(tag: string, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  return words.map((word) => `${quote(tag + word)}:*`).join(' & ');
}

/** Between quotes only the quote and the backslash have a meaning. */
function quote(lexeme: string): string {
  return `'${/['\\]/.test(lexeme) ? lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''") : lexeme}'`;
}
