import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { MigrationError } from './migration-error.ts';

/**
 * `transaction`: SQL in one transaction. `online`: SQL whose statements run one by one, each outside a transaction. `backfill`: a
 * TypeScript file that changes rows in batches.
 */
export type Migration = {
  name: string;
  kind: 'transaction' | 'online' | 'backfill';
  text: string;
  file: string;
  checksum: string;
  /** The previous release works before, during and after it: services need not be stopped. Declared by a line `-- rolling`. */
  isRolling: boolean;
};

const FIRST_LINE_OF_ONLINE = /^-- online\s*$/m;
const ROLLING = /^(?:--|\/\/) rolling\b/m;
const STATEMENT_MARKER = /^-- statement\b.*$/m;
const COMMENT_LINES = /^\s*--.*$/gm;

export async function listMigrations(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^\d+_.*\.(sql|ts)$/.test(name)).sort();
}

/**
 * A file in `replacements/` with the name of a released migration (its extension may differ) is run in its place by databases that have not
 * applied it. It must lead to the same schema and rows. The original stays: its name and checksum are what is recorded.
 */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const replacements = path.join(folder, 'replacements');
  const replaced = await readReplacements(replacements);
  return Promise.all(
    (await listMigrations(folder)).map(async (name) => {
      const original = path.join(folder, name);
      const originalText = await readFile(original, 'utf8');
      const checksum = createHash('sha256').update(originalText).digest('hex');
      const replacement = replaced.get(path.parse(name).name);
      if (replacement === undefined) {
        const isRolling = ROLLING.test(originalText);
        return { name, kind: kindOf(name, originalText), text: originalText, file: original, checksum, isRolling };
      }
      const file = path.join(replacements, replacement);
      const text = await readFile(file, 'utf8');
      return { name, kind: kindOf(file, text), text, file, checksum, isRolling: ROLLING.test(text) };
    }),
  );
}

/** File names by what they replace. */
async function readReplacements(folder: string): Promise<Map<string, string>> {
  const names = await listMigrations(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return new Map(names.map((name) => [path.parse(name).name, name]));
}

function kindOf(name: string, text: string): Migration['kind'] {
  if (name.endsWith('.ts')) return 'backfill';
  return FIRST_LINE_OF_ONLINE.test(text.split('\n', 1)[0] ?? '') ? 'online' : 'transaction';
}

/**
 * Marker lines instead of a parser: finding the end of a statement needs the rules for strings, dollar quotes and nested comments.
 * Several statements between two markers are refused by the server where it matters (`concurrently` in a transaction block).
 */
export function splitStatements({ name, text }: Migration): string[] {
  const statements = text
    .split(STATEMENT_MARKER)
    .filter((statement) => statement.replace(COMMENT_LINES, '').trim() !== '');
  for (const statement of statements) findIndexBuild(statement, name);
  return statements;
}

const CREATE_CONCURRENTLY = /\bcreate\s+(?:unique\s+)?index\s+concurrently\b/i;
const REPEATABLE_CREATE =
  /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+([a-z_][a-z0-9_]*)\s+on\b/i;

/** The name of the index that a statement builds concurrently. */
export function findIndexBuild(statement: string, migration: string): string | undefined {
  const code = statement.replace(COMMENT_LINES, '');
  if (!CREATE_CONCURRENTLY.test(code)) return undefined;
  const index = REPEATABLE_CREATE.exec(code)?.[1];
  if (index !== undefined) return index;
  throw new MigrationError(
    `Migration ${migration}: write create index concurrently if not exists <name> on ..., so that it can be repeated`,
  );
}
