import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, TEST_SECRET, testDatabase, testService } from '../test/harness/index.ts';
import { readOrCreateSecret, startService } from './server.ts';
import { readSettings } from './settings.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-server-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the secret of an installation', () => {
  it('is made once, for its owner alone, and is the same ever after', async () => {
    const dataDir = path.join(folder, 'fresh');
    const made = await Promise.all(Array.from({ length: 10 }, () => readOrCreateSecret(dataDir)));
    expect(new Set(made).size).toBe(1);
    expect(made[0]).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(path.join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['secret']);
  });

  it('is closed to other accounts again after its mode was changed', async () => {
    const dataDir = path.join(folder, 'open');
    const made = await readOrCreateSecret(dataDir);
    await chmod(path.join(dataDir, 'secret'), 0o644);
    expect(await readOrCreateSecret(dataDir)).toBe(made);
    expect((await stat(path.join(dataDir, 'secret'))).mode & 0o777).toBe(0o600);
  });

  it.each(['', '\n', 'short'])('is never %j: a damaged file stops the start', async (content) => {
    const dataDir = path.join(folder, `damaged ${content.length}`);
    await readOrCreateSecret(dataDir);
    await writeFile(path.join(dataDir, 'secret'), content);
    await expect(readOrCreateSecret(dataDir)).rejects.toThrow(/secret is damaged/);
    expect(await readFile(path.join(dataDir, 'secret'), 'utf8')).toBe(content);
  });
});

describe('a start that fails halfway', () => {
  it('takes down what was already up', async () => {
    const database = await testDatabase();
    const settings = { PORT: '0', DATABASE_URL: database.url, DUKKAN_SECRET: TEST_SECRET, DUKKAN_DATA_DIR: folder };
    const start = startService(readSettings(settings, folder), pino({ level: 'silent' }), {
      beforeListen: async () => {
        throw new Error('no');
      },
    });
    await expect(start).rejects.toThrow('no');
    const connections = async () =>
      (
        await database.sql`
        select 1 from pg_stat_activity where datname = current_database() and application_name like 'dukkan %'`
      ).length;
    await expect.poll(connections).toBe(0);
  });
});

describe('stopping', () => {
  it('can be asked for twice, and frees the port and the database', async () => {
    const service = await testService();
    await Promise.all([service.stop(), service.stop()]);
    await expect(call(service.baseUrl, 'GET /ping')).rejects.toThrow();
    const rows = await service.sql`
      select 1 from pg_stat_activity where datname = current_database() and application_name like 'dukkan %'`;
    expect(rows).toEqual([]);
  });
});
