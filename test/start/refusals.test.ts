import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleInstallation } from '../../src/platform/installation/index.ts';
import { TEST_SECRET, testDatabase } from '../harness/index.ts';
import { run } from './service-process.ts';

let folder: string;
let databaseUrl: string;
const taken = createServer();
let takenPort: string;
let freePort: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-refusals-'));
  await writeFile(path.join(folder, 'a-file'), '');
  const database = await testDatabase();
  databaseUrl = database.url;
  await settleInstallation(database.sql, TEST_SECRET, async () => []);
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  takenPort = String(typeof address === 'object' ? address?.port : '');
  // Below the range of ephemeral ports.
  freePort = String(20_000 + (process.pid % 10_000));
});
afterAll(async () => {
  taken.close();
  await rm(folder, { recursive: true, force: true });
});

const external = () => ({ DATABASE_URL: databaseUrl, DUKKAN_SECRET: TEST_SECRET });

describe('a start that cannot be', () => {
  it.each<[string, () => Record<string, string>, RegExp]>([
    ['a bad setting', () => ({ PORT: 'eighty' }), /^dukkan: Setting: PORT must be .*"eighty"$/],
    [
      'no secret for a database of the operator',
      () => ({ DATABASE_URL: databaseUrl }),
      /^dukkan: Setting: DUKKAN_SECRET is required/,
    ],
    [
      'a port that is taken',
      () => ({ ...external(), PORT: takenPort }),
      /^dukkan: The port is taken \(.*\)\. Set PORT to another\.$/,
    ],
    [
      'a port for metrics that is taken',
      () => ({ ...external(), METRICS_PORT: takenPort }),
      /^dukkan: Setting: METRICS_PORT and METRICS_HOST cannot be used: .*EADDRINUSE/,
    ],
    [
      'one port for both',
      () => ({ ...external(), PORT: freePort, METRICS_PORT: freePort }),
      /^dukkan: Setting: METRICS_PORT and METRICS_HOST cannot be used: .*EADDRINUSE/,
    ],
    [
      'another secret than the database was created with',
      () => ({ ...external(), DUKKAN_SECRET: 'a secret of another installation' }),
      /^dukkan: DUKKAN_SECRET .* is not the one this database was created with/,
    ],
    [
      'several hosts that cannot be read',
      () => ({ ...external(), DATABASE_URL: 'postgres://u:hunter2@one:5432,two:port/shop' }),
      /^dukkan: Setting: DATABASE_URL must name several hosts as host:port,host:port/,
    ],
    [
      'a standby that is asked for',
      () => ({ ...external(), DATABASE_URL: 'postgres://u:hunter2@one,two/shop?target_session_attrs=standby' }),
      /^dukkan: Setting: DATABASE_URL has a target_session_attrs that cannot be used/,
    ],
    [
      'a host that does not exist',
      () => ({ ...external(), HOST: 'no.such.host.invalid' }),
      /^dukkan: The address cannot be listened on .*HOST/,
    ],
    [
      'a database that is not there',
      () => ({ ...external(), DATABASE_URL: 'postgres://u:hunter2@localhost:1/shop' }),
      /^dukkan: The database of DATABASE_URL cannot be used: .*ECONNREFUSED/,
    ],
    ['a data folder that is a file', () => ({ DUKKAN_DATA_DIR: path.join(folder, 'a-file') }), /^dukkan: .*a-file/],
  ])('%s: one clear line and exit code 1', async (_what, settings, line) => {
    const data = { DUKKAN_DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'fatal' };
    const { code, out, err } = await run(['serve'], { ...data, ...settings() }).ended;
    expect(err.trimEnd().split('\n')).toEqual([expect.stringMatching(line)]);
    expect(err).not.toContain('hunter2');
    expect([code, out]).toEqual([1, '']);
  });

  it('leaves nothing behind where only the port was in the way', async () => {
    const dataDir = path.join(folder, 'never made');
    const inTheWay: Record<string, string>[] = [{ PORT: takenPort }, { METRICS_PORT: takenPort }];
    for (const settings of inTheWay) {
      const { code, out, err } = await run(['serve'], { ...settings, DUKKAN_DATA_DIR: dataDir }).ended;
      expect([code, out, err.trimEnd().split('\n').length]).toEqual([1, '', 1]);
      expect(existsSync(dataDir)).toBe(false);
    }
  });

  it('is refused to a command with another secret as well', async () => {
    const settings = { ...external(), DUKKAN_SECRET: 'a secret of another installation', DUKKAN_DATA_DIR: folder };
    const { code, out, err } = await run(['org', 'create', '--name-en', 'Najd'], settings).ended;
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^dukkan: DUKKAN_SECRET .* is not the one this database was created with.*\n$/);
  });

  it('reports a misspelled setting, and continues', async () => {
    const settings = { ...external(), DUKKAN_DATADIR: '/srv', DUKKAN_DATA_DIR: folder, LOG_LEVEL: 'warn' };
    const { code, err } = await run(['org', 'create', '--name-en', 'Najd'], settings).ended;
    expect(code).toBe(0);
    const lines = err.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'There is no setting DUKKAN_DATADIR; the closest is DUKKAN_DATA_DIR',
    ]);
  });
});
