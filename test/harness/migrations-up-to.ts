import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listMigrations as listFolder } from '../../src/platform/database/index.ts';
import { MIGRATIONS_FOLDER } from '../../src/server.ts';
import { atEndOfFile } from './end-of-file.ts';

/** The names of all migrations, oldest first. */
export function listMigrations(): Promise<string[]> {
  return listFolder(MIGRATIONS_FOLDER);
}

/** A folder with the migrations up to this one: what an earlier release had. */
export async function migrationsUpTo(newest: string): Promise<string> {
  const folder = await copyMigrations((name) => name <= newest);
  atEndOfFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A new folder with some of the migrations as they were released, without their replacements. */
export async function copyMigrations(isChosen: (name: string) => boolean): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-migrations-'));
  for (const name of (await listMigrations()).filter(isChosen)) {
    await copyFile(path.join(MIGRATIONS_FOLDER, name), path.join(folder, name));
  }
  return folder;
}
