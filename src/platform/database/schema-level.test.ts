import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { atEndOfFile } from '../../../test/harness/end-of-file.ts';
import { emptyDatabase, listMigrations, migrationsUpTo, type TestDatabase } from '../../../test/harness/index.ts';
import { connectDatabase } from './connect.ts';
import { migrate } from './migrate/index.ts';
import { checkSchemaLevel, readSchemaLevel, serviceName, upgradeDatabase } from './schema-level.ts';

let database: TestDatabase;
let newer: string;
let older: string;
let newerLevel: string;
let olderLevel: string;
const NO_FORCE = { byForce: false };

beforeAll(async () => {
  const names = await listMigrations();
  older = await migrationsUpTo(String(names.at(0)));
  newer = await migrationsUpTo(String(names.at(1)));
  [olderLevel, newerLevel] = await Promise.all([readSchemaLevel(older), readSchemaLevel(newer)]);
});
beforeEach(async () => {
  database = await emptyDatabase();
});

/** Connected as a service is: under its name, in several sessions. */
async function connectService(applicationName: string): Promise<() => Promise<void>> {
  const service = connectDatabase(database.url, { poolSize: 2, applicationName });
  const leave = () => service.end({ timeout: 1 });
  atEndOfFile(leave);
  await Promise.all([service`select pg_sleep(0.05)`, service`select pg_sleep(0.05)`]);
  return leave;
}

describe('migrating under a service that is running', () => {
  it('is refused when the service is older, in one line that names both', async () => {
    await migrate(database.sql, older);
    const leave = await connectService(serviceName({ version: '1.2.3', level: olderLevel }));
    const refused = upgradeDatabase(database.sql, newer, NO_FORCE);
    await expect(refused).rejects.toThrow(
      new RegExp(
        `^Dukkan 1\\.2\\.3 \\(schema ${olderLevel}, 2 connections.*\\) is running .* schema ${newerLevel}\\. Stop it`,
      ),
    );
    await expect(checkSchemaLevel(database.sql, newer)).rejects.toThrow(`at schema ${olderLevel}`);

    await leave();
    await expect.poll(() => upgradeDatabase(database.sql, newer, NO_FORCE).catch(() => 'refused')).toHaveLength(1);
    await checkSchemaLevel(database.sql, newer);
  });

  it('is refused when the service does not say how old it is', async () => {
    await migrate(database.sql, older);
    await connectService('dukkan');
    await expect(upgradeDatabase(database.sql, newer, NO_FORCE)).rejects.toThrow(/of an earlier release \(schema 0000/);
  });

  it('is done under an older service when every pending migration is declared rolling', async () => {
    await migrate(database.sql, older);
    await connectService(serviceName({ version: '1.2.3', level: olderLevel }));
    const rolling = await migrationsUpTo(String((await listMigrations()).at(0)));
    await writeFile(
      path.join(rolling, '9001_adds_a_table.sql'),
      '-- rolling\ncreate table added (id int primary key);',
    );
    expect(await upgradeDatabase(database.sql, rolling, NO_FORCE)).toEqual(['9001_adds_a_table.sql']);
    await writeFile(path.join(rolling, '9002_drops_it.sql'), 'drop table added;');
    await expect(upgradeDatabase(database.sql, rolling, NO_FORCE)).rejects.toThrow(/Stop it first/);
  });

  it('is done by force, for a change that the older one can live with', async () => {
    await migrate(database.sql, older);
    await connectService(serviceName({ version: '1.2.3', level: olderLevel }));
    expect(await upgradeDatabase(database.sql, newer, { byForce: true })).toHaveLength(1);
  });

  it('is not checked for commands, other programs and services that know the tables', async () => {
    await migrate(database.sql, older);
    await connectService(serviceName({ version: '9.9.9', level: newerLevel }));
    await connectService('dukkan command');
    await connectService('dukkans');
    await connectService('psql');
    expect(await upgradeDatabase(database.sql, newer, NO_FORCE)).toHaveLength(1);
  });

  it('an older service that has nothing to migrate is not in the way', async () => {
    await migrate(database.sql, newer);
    await connectService(serviceName({ version: '1.2.3', level: olderLevel }));
    expect(await upgradeDatabase(database.sql, newer, NO_FORCE)).toEqual([]);
  });

  it('eight services of one version start on an empty database at once', async () => {
    const starts = Array.from({ length: 8 }, async () => {
      const applicationName = serviceName({ version: '1.2.3', level: newerLevel });
      const sql = connectDatabase(database.url, { poolSize: 2, applicationName });
      atEndOfFile(() => sql.end({ timeout: 1 }));
      return upgradeDatabase(sql, newer, NO_FORCE);
    });
    const applied = await Promise.all(starts);
    expect(applied.flat().toSorted()).toEqual((await listMigrations()).slice(0, 2));
  });
});

describe('the level', () => {
  it('of a folder is the number of its newest migration', () => {
    expect([olderLevel, newerLevel]).toEqual(['0001', '0002']);
  });

  it('of an empty, an older, an equal and a newer database', async () => {
    const { sql } = database;
    await expect(checkSchemaLevel(sql, newer)).rejects.toThrow(
      `The database is empty, this version needs ${newerLevel}: run dukkan migrate, or start the service, first`,
    );
    await migrate(sql, older);
    await expect(checkSchemaLevel(sql, newer)).rejects.toThrow(
      `The database is at schema ${olderLevel}, this version needs ${newerLevel}: run dukkan migrate`,
    );
    await checkSchemaLevel(sql, older);
    await migrate(sql, newer);
    await checkSchemaLevel(sql, newer);
    await expect(checkSchemaLevel(sql, older)).rejects.toThrow(/^The database has migration 0002_\w+\.sql, .* newer$/);
  });
});
