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
};

const FIRST_LINE_OF_ONLINE = /^-- online\s*$/m;
const STATEMENT_MARKER = /^-- statement\b.*$/m;
const COMMENT_LINES = /^\s*--.*$/gm;

export async function listMigrations(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^\d+_.*\.(sql|ts)$/.test(name)).sort();
}

export async function readMigrations(folder: string): Promise<Migration[]> {
  return Promise.all(
    (await listMigrations(folder)).map(async (name) => {
      const file = path.join(folder, name);
      const text = await readFile(file, 'utf8');
      return { name, kind: kindOf(name, text), text, file, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
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
