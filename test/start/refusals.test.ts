import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_SECRET, testDatabase } from '../harness/index.ts';
import { run } from './service-process.ts';

let folder: string;
let databaseUrl: string;
const taken = createServer();
let takenPort: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-refusals-'));
  await writeFile(path.join(folder, 'a-file'), '');
  databaseUrl = (await testDatabase()).url;
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  takenPort = String(typeof address === 'object' ? address?.port : '');
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
});
