import type { MigrationContext, Piece, Tx } from '../src/platform/database/index.ts';

/**
 * Fills search_words and phone_digits of the orders that exist. The functions below are copies of those that the service had when it
 * began to write the columns (src/platform/text): a migration does not change with later releases. A release that folds
 * differently has to compute the columns again.
 */
export async function migrate({ inBatches }: MigrationContext): Promise<void> {
  await inBatches({
    table: 'orders',
    key: ['organization_id', 'id'],
    size: 2_000,
    run: async (tx, batch) => fillRows(tx, await readRows(tx, batch.where('o'))),
  });
}

type Searched = {
  organization_id: string;
  id: string;
  customer_name: string | null;
  receiver_name: string | null;
  customer_phone: string | null;
};

/** Only rows with something to fill: the others would be rewritten for nothing. */
function readRows(tx: Tx, inBatch: Piece) {
  return tx<Searched[]>`
    select o.organization_id, o.id, o.customer_name, o.receiver_name, o.customer_phone from orders o
    where ${inBatch} and o.search_words is null and o.phone_digits is null
      and (o.customer_name is not null or o.receiver_name is not null or o.customer_phone is not null)
    for update`;
}

async function fillRows(tx: Tx, rows: Searched[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    update orders o set search_words = f.words::tsvector, phone_digits = f.digits
    from unnest(${rows.map((row) => row.organization_id)}::uuid[], ${rows.map((row) => row.id)}::uuid[],
                ${rows.map((row) => wordVector(row.organization_id, searchableWords(row.customer_name, row.receiver_name)))}::text[],
                ${rows.map((row) => phoneDigits(row.customer_phone))}::text[]) as f (organization_id, id, words, digits)
    where o.organization_id = f.organization_id and o.id = f.id`;
}

const HYPHENS_AND_SPACES = /[\s\-\u2010-\u2015\u2212]+/u;
const NEITHER_LETTER_NOR_NUMBER = /[^\p{L}\p{N}\p{M}]/u;
const START_INSIDE_WORD = /[^\p{L}\p{N}\p{M}]+(?=[\p{L}\p{N}])/gu;

const MAX_WORD_LENGTH = 100;
const MAX_STARTS_INSIDE_WORD = 8;

function searchableWords(...texts: (string | null)[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    if (text === null) continue;
    const folded = foldForSearch(text);
    const hasPunctuation = NEITHER_LETTER_NOR_NUMBER.test(folded);
    for (const word of folded.split(HYPHENS_AND_SPACES)) {
      if (word === '') continue;
      words.add(cut(word));
      if (hasPunctuation) for (const part of partsOf(word)) words.add(cut(part));
    }
  }
  return [...words];
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

function tenantTag(organizationId: string): string {
  return (Number.parseInt(organizationId.slice(-8), 16) & TAG_BITS).toString(32).padStart(6, '0');
}

function wordVector(organizationId: string, words: readonly string[]): string | null {
  if (words.length === 0) return null;
  const tag = tenantTag(organizationId);
  return words.map((word) => quote(tag + word)).join(' ');
}

function quote(lexeme: string): string {
  return `'${/['\\]/.test(lexeme) ? lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''") : lexeme}'`;
}

function phoneDigits(phone: string | null): string | null {
  if (phone === null) return null;
  const digits = digitsOf(PLAIN_ASCII.test(phone) ? phone : foldForSearch(phone));
  return digits.replace(/^0+/, '') || null;
}

function digitsOf(text: string): string {
  if (/^\d+$/.test(text)) return text;
  const [number = ''] = text.replace(/^[^\d+]+/, '').split(/\p{L}/u, 1);
  return number.replace('(0)', '').replaceAll(/\D+/g, '');
}

const LONE_MARK_FORMS = /[\uFC5E-\uFC63\uFE70-\uFE7F]/gu;

const DROPPED =
  /[\u0640\p{Cf}\p{Default_Ignorable_Code_Point}[[[\p{Mn}\p{Me}]&&[\p{sc=Inherited}\p{sc=Arabic}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}]]--[\u3099\u309A\u0654]]]/gv;

const HAMZA_ABOVE = '\u0654';

const LETTERS = new Map<string, string>([
  ...pairs('ٱٲٳ', 'ا'),
  ...pairs('ةۃہھە', 'ه'),
  ...pairs('ىیے', 'ي'),
  ...pairs('کڪ', 'ك'),
  ...[...'٠١٢٣٤٥٦٧٨٩'].map((digit, value): [string, string] => [digit, String(value)]),
  ...[...'۰۱۲۳۴۵۶۷۸۹'].map((digit, value): [string, string] => [digit, String(value)]),
  ['٫', '.'],
  ['٬', ','],
  ['٪', '%'],
  ['ς', 'σ'],
]);
const VARIANT_LETTERS = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu');

const PLAIN_ASCII = /^[\x20-\x7E]*$/;

function foldForSearch(text: string): string {
  if (PLAIN_ASCII.test(text)) return text.toLowerCase().replace(/ +/g, ' ').trim();
  return text
    .toWellFormed()
    .replace(LONE_MARK_FORMS, '')
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(DROPPED, '')
    .replace(VARIANT_LETTERS, (letter) => LETTERS.get(letter) ?? letter)
    .replaceAll(`و${HAMZA_ABOVE}`, 'ؤ')
    .replaceAll(`ي${HAMZA_ABOVE}`, 'ئ')
    .replaceAll(HAMZA_ABOVE, '')
    .replace(/[\s\p{Z}\p{Cc}]+/gu, ' ')
    .trim();
}

function pairs(variants: string, letter: string): Array<[string, string]> {
  return [...variants].map((variant) => [variant, letter]);
}
