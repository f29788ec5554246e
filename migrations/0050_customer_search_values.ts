import type { MigrationContext, Tx } from '../src/platform/database/index.ts';

/**
 * Fills search_words of the customers that exist from their search_text, which is folded already. The functions below are copies of
 * those that the service had when it began to write the column: a migration does not change with later releases.
 */
export async function migrate({ inBatches }: MigrationContext): Promise<void> {
  await inBatches({
    table: 'customers',
    key: ['organization_id', 'branch_id', 'id'],
    size: 2_000,
    run: async (tx, batch) =>
      fillRows(
        tx,
        await tx<Searched[]>`
          select c.organization_id, c.branch_id, c.id, c.search_text from customers c
          where ${batch.where('c')} and c.search_words is null and c.search_text <> ''
          for update`,
      ),
  });
}

type Searched = { organization_id: string; branch_id: string; id: string; search_text: string };

async function fillRows(tx: Tx, rows: Searched[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    update customers c set search_words = f.words::tsvector
    from unnest(${rows.map((row) => row.organization_id)}::uuid[], ${rows.map((row) => row.branch_id)}::uuid[],
                ${rows.map((row) => row.id)}::uuid[], ${rows.map(wordsOf)}::text[]) as f (organization_id, branch_id, id, words)
    where c.organization_id = f.organization_id and c.branch_id = f.branch_id and c.id = f.id`;
}

/** The parts of the text are name, telephone numbers and e-mail address. */
function wordsOf({ organization_id, branch_id, search_text }: Searched): string {
  const tag = tagOf(organization_id) + tagOf(branch_id);
  const words = search_text
    .split(' | ')
    .flatMap((part) =>
      PHONE.test(part) ? phoneWords(part) : part.includes('@') ? addressWords(part) : nameWords(part),
    );
  return [...new Set(words)].map((word) => quote(tag + word)).join(' ');
}

const PHONE = /^\+?[\d\s().\-/]+$/;

function phoneWords(part: string): string[] {
  const digits = part.replaceAll(/\D+/g, '').replace(/^0+/, '');
  return digits === '' ? [] : [digits, `<${[...digits].reverse().join('')}`];
}

const HYPHENS_AND_SPACES = /[\s\-\u2010-\u2015\u2212]+/u;
const START_INSIDE_WORD = /[^\p{L}\p{N}\p{M}]+(?=[\p{L}\p{N}])/gu;
const MAX_WORD_LENGTH = 100;
const MAX_STARTS_INSIDE_WORD = 8;

function nameWords(part: string): string[] {
  return part
    .split(HYPHENS_AND_SPACES)
    .filter(Boolean)
    .flatMap((word) => {
      const starts = [...word.matchAll(START_INSIDE_WORD)].slice(0, MAX_STARTS_INSIDE_WORD);
      return [word, ...starts.map((match) => word.slice(match.index + match[0].length))].map(cut);
    });
}

function addressWords(part: string): string[] {
  return part.split(HYPHENS_AND_SPACES).filter(Boolean).map(cut);
}

function cut(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : word.slice(0, MAX_WORD_LENGTH).toWellFormed();
}

function tagOf(id: string): string {
  return (Number.parseInt(id.slice(-8), 16) & 0x3fff_ffff).toString(32).padStart(6, '0');
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
