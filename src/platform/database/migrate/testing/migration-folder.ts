import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atEndOfFile } from '../../../../../test/harness/end-of-file.ts';

/** A folder with these files, removed after the tests of the file. */
export async function migrationFolder(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-migrations-'));
  atEndOfFile(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

/** 100 rows with a counter, whose keys are not in the order of their insertion. */
export const COUNTERS = {
  '0001_counters.sql': `create table counters (shop int, id int, touched int not null default 0, primary key (shop, id));
    insert into counters (shop, id) select n % 3, n from generate_series(1, 100) n order by n desc;`,
};

/** Touches each row once, ten in a transaction. */
export const TOUCH_ALL = {
  '0002_touch.ts': `export async function migrate({ inBatches }) {
    await inBatches({
      table: 'counters',
      key: ['shop', 'id'],
      size: 10,
      run: (tx, batch) => tx\`update counters c set touched = touched + 1 where \${batch.where('c')}\`,
    });
  }`,
};
