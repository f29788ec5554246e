import { migrate } from '../../src/platform/database/index.ts';
import { emptyDatabase, type TestDatabase } from './index.ts';
import { listMigrations, migrationsUpTo } from './migrations-up-to.ts';

/** As the release left it that did not have this migration yet, named by its number or more of its name. */
export async function databaseBefore(migration: string): Promise<TestDatabase> {
  const newest = (await listMigrations()).filter((name) => name < migration).at(-1);
  if (newest === undefined) throw new Error(`there is nothing before ${migration}`);
  const database = await emptyDatabase();
  await migrate(database.sql, await migrationsUpTo(newest));
  return database;
}
