import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { wordField, wordFieldError, wordMessage } from '../src/i18n/refusals/index.ts';
import { messageInArabic } from '../src/i18n/refusals/messages.ts';

const ROOT = path.resolve(import.meta.dirname, '../../src');
const NOT_SHOWN = /\.test\.ts$|\/testing\/|^cli\/|^demo\/|^reference\/|^platform\/database\/database-url/;
const sources = globSync('**/*.ts', { cwd: ROOT })
  .filter((file) => !NOT_SHOWN.test(file))
  .map((file) => readFileSync(path.join(ROOT, file), 'utf8'));

/** What is behind `pattern` in the service's sources; a computed part of a text is a number. */
function textsBehind(pattern: RegExp): string[] {
  const found = sources.flatMap((source) => [...source.matchAll(pattern)].map(([, text = '']) => text));
  return [...new Set(found.map((text) => text.replace(/\$\{[^}]*\}/g, '7')))];
}

const MESSAGE = String.raw`['\`]([A-Z][^'\`]*)['\`]`;
const messages = [
  ...textsBehind(new RegExp(String.raw`\b(?:conflict|notFound|refused)\(\s*${MESSAGE}`, 'g')),
  ...textsBehind(new RegExp(String.raw`new Problem\(\s*4\d\d,\s*${MESSAGE}`, 'g')),
  ...textsBehind(new RegExp(String.raw`\b(?:unprocessable|forbidden|badRequest)\([^;]*?\},\s*${MESSAGE}\)`, 'g')),
].filter((message) => !message.includes('7'));

const fieldTexts = [
  ...sources.flatMap((source) =>
    [
      ...source.matchAll(/\b(?:unprocessable|badRequest|forbidden|refuseInvalid|conflict)\((?:'[^']*', )?\{([^}]*)\}/g),
    ].flatMap(([, fields = '']) => [...fields.matchAll(/: '([a-z][^']* [^']*)'/g)].map(([, text = '']) => text)),
  ),
  ...textsBehind(/['`](must [a-z][^'`{]*)['`]/g),
  ...textsBehind(/\brefuse\('((?:must|is|has) [^']*)'\)/g),
  ...textsBehind(/return (?:limit === 1 \? )?['`]((?:must|is|has|at) [^'`]*)['`]/g),
];

it('has Arabic for every message with which the service refuses a request', () => {
  expect(messages.length).toBeGreaterThan(80);
  expect(messages.filter((message) => messageInArabic('', message) === undefined)).toEqual([]);
});

it('has Arabic for everything that the service says about a field', () => {
  expect(fieldTexts.length).toBeGreaterThan(40);
  expect([...new Set(fieldTexts)].filter((text) => wordFieldError('ar', text) === undefined)).toEqual([]);
});

it('finds a message by its reason, keeps the numbers of a field error, and names fields inside of lists', () => {
  expect(wordMessage('ar', 'product-not-found', 'Some other words')).toBe('المنتج غير موجود');
  expect(wordFieldError('ar', 'must have at most 50 characters')).toBe('لا يزيد عن 50 حرفًا');
  expect(wordFieldError('en', 'is required')).toBe('Is required');
  expect(wordField('ar', 'lines.0.email')).toBe('البريد الإلكتروني');
  expect(wordField('en', 'x')).toBeUndefined();
  expect(wordMessage('ar', '', 'A message of tomorrow')).toBe('رفضت الخدمة هذا الطلب');
});
