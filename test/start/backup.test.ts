import { cp, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { openCommandContext } from '../../src/cli/open-command-context.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { followWal, openBackupFolder } from '../../src/platform/backup/index.ts';
import { parseLsn } from '../../src/platform/backup/wal-position.ts';
import { findRunningServer } from '../../src/platform/postgres/index.ts';
import { type RunningService, startService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { call, PATIENT_LIMITS, type TestOrganization, testOrganization } from '../harness/index.ts';

const PASSPHRASE = 'seven dates and a coffee pot';

let root: string;
let service: RunningService;
let shop: TestOrganization;
let moment: string;
let firstId: string;
const at = (name: string) => path.join(root, name);
const env = (dataDir: string) => ({
  PORT: '0',
  DUKKAN_DATA_DIR: at(dataDir),
  DUKKAN_DEMO: 'false',
  DUKKAN_CONSOLE: 'off',
  LOG_LEVEL: 'silent',
});

/** A command line as an operator types it, in this process, with `--json`. */
async function dukkan(dataDir: string, ...args: string[]) {
  let out = '';
  const screen = { write: () => undefined };
  const context = openCommandContext(env(dataDir), root, screen, screen);
  try {
    const write = (text: string) => {
      out += text;
    };
    await runCommandLine([...args, '--json'], { commands: COMMANDS, context, version: '9.9.9', out: { write } });
  } finally {
    await context.close();
  }
  return JSON.parse(out);
}
const sealed = (...args: string[]) => [...args, '--passphrase-file', at('passphrase')];

async function placeOrder(key: string): Promise<void> {
  const body = {
    source_transaction_id: key,
    order_status: 'RECEIVED',
    fulfillment_status: 'None',
    skus: ['s'],
    products: [{ product_id: 'p', sku_id: 's', quantity: 1, price: 5 }],
  };
  const { status } = await call(service.baseUrl, 'POST /orders', { token: shop.owner.token, body });
  expect(status).toBe(201);
}

async function ordersIn(dataDir: string): Promise<string[]> {
  const context = openCommandContext(env(dataDir), root, { write: () => undefined }, { write: () => undefined });
  try {
    const { sql } = await context.platform();
    const rows = await sql<{ key: string }[]>`select source_transaction_id as key from orders order by id`;
    return rows.map(({ key }) => key);
  } finally {
    await context.close();
  }
}

/** A base backup, then the log as it is written: an order, a moment, another order. */
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'dukkan-backup-'));
  await writeFile(at('passphrase'), `${PASSPHRASE}\n`);
  await writeFile(at('wrong'), 'seven dates and a tea pot\n');
  const limits = { request: PATIENT_LIMITS, background: PATIENT_LIMITS };
  service = await startService(readSettings(env('data'), root), pino({ level: 'silent' }), { limits });
  const { sql } = service.platform;
  shop = await testOrganization(sql);
  await placeOrder('in the base backup');
  ({ id: firstId } = await dukkan('data', ...sealed('backup', '--to', at('backups'))));

  const folder = await openBackupFolder(at('backups'), { passphraseFile: at('passphrase'), create: false });
  const ending = new AbortController();
  const reached = Promise.withResolvers<void>();
  let endLsn: bigint | undefined;
  const following = followWal({
    address: async () => (await findRunningServer(at('data'))) ?? '',
    folder,
    signal: ending.signal,
    onProgress: (lsn) => {
      if (endLsn !== undefined && parseLsn(lsn) >= endLsn) reached.resolve();
    },
    onLost: () => undefined,
  });
  await placeOrder('before the moment');
  const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
  moment = String(now?.at.toISOString());
  await placeOrder('after the moment');
  const [end] = await sql<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`;
  endLsn = parseLsn(end?.lsn ?? '');
  await reached.promise;
  ending.abort();
  await following;
});
afterAll(async () => {
  await service?.stop();
  await rm(root, { recursive: true, force: true });
});

const restore = (dataDir: string, ...more: string[]) =>
  dukkan(dataDir, ...sealed('restore', '--from', at('backups')), ...more);

describe('backup and restore of the embedded database', () => {
  it('restores to a moment between two orders, from a log that was not complete, with the secret', async () => {
    await expect(restore('restored', '--until', '2199-01-01T00:00:00Z')).rejects.toThrow(
      /The log in .* ends before 2199/,
    );
    expect(await readdir(at('restored/postgres'))).not.toContain('cluster');
    const restored = await restore('restored', '--until', moment);
    expect(new Date(restored.restored_until) <= new Date(moment)).toBe(true);
    expect(await ordersIn('restored')).toEqual(['in the base backup', 'before the moment']);
    expect(await readFile(at('restored/secret'), 'utf8')).toBe(await readFile(at('data/secret'), 'utf8'));
    await expect(restore('restored')).rejects.toThrow(/has a database already/);
  });

  it('refuses a moment before the first backup and one that is not a moment', async () => {
    await expect(restore('none', '--until', '2020-01-01T00:00:00Z')).rejects.toThrow(
      /an earlier moment cannot be restored/,
    );
    await expect(restore('none', '--until', 'yesterday')).rejects.toThrow(/is not a moment with a time zone/);
  });

  it('refuses a wrong passphrase, and none', async () => {
    const wrong = dukkan('none', 'restore', '--from', at('backups'), '--passphrase-file', at('wrong'));
    await expect(wrong).rejects.toThrow(/The passphrase is not the one of the backups/);
    await expect(dukkan('none', 'restore', '--from', at('backups'))).rejects.toThrow(/are encrypted/);
  });

  it('keeps no readable order in an encrypted folder', async () => {
    const names = await readdir(at('backups'), { recursive: true });
    const contents = names.filter((name) => /[0-9A-F]{24}(\.\w+\.part)?$|manifest$|secret$/.test(name));
    expect(contents.length).toBeGreaterThan(2);
    for (const name of contents) {
      const content = await readFile(at(`backups/${name}`), 'latin1');
      expect(content).not.toMatch(/before the moment|PostgreSQL-Backup-Manifest/);
    }
  });

  it('refuses a damaged base backup', async () => {
    const file = at(`backups/base/${firstId}/base.tar`);
    const handle = await open(file, 'r+');
    await handle.write(Buffer.from([0x55, 0xaa]), 0, 2, Math.floor((await stat(file)).size / 2));
    await handle.close();
    await expect(restore('none')).rejects.toThrow(/base\.tar is damaged or cut off/);
  });

  it('does not list an interrupted backup, removes it at the next one, and deletes the oldest', async () => {
    await cp(at(`backups/base/${firstId}`), at('backups/base/20260101000000Z-abcdef.partial'), { recursive: true });
    const { backups } = await dukkan('data', 'backups', '--from', at('backups'));
    expect(backups.map((backup: { id: string }) => backup.id)).toEqual([firstId]);
    const { id, deleted } = await dukkan('data', ...sealed('backup', '--to', at('backups'), '--keep', '1'));
    expect(deleted).toEqual([firstId]);
    expect((await readdir(at('backups/base'))).filter((name) => /^\d/.test(name))).toEqual([id]);
    const { checks } = await dukkan('data', 'doctor');
    expect(checks.find(({ check }: { check: string }) => check === 'backup')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining(id),
    });
  });
});
