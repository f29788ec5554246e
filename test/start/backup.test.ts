import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { openCommandContext } from '../../src/cli/open-command-context.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { followWal, openBackupStore, openRepository } from '../../src/platform/backup/index.ts';
import { parseLsn } from '../../src/platform/backup/wal-position.ts';
import { newFileKey } from '../../src/platform/files/index.ts';
import { type S3TestServer, startS3TestServer } from '../../src/platform/files/testing/s3-server.ts';
import { newId } from '../../src/platform/ids.ts';
import { findRunningServer } from '../../src/platform/postgres/index.ts';
import { type RunningService, startService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { call, PATIENT_LIMITS, type TestOrganization, testOrganization } from '../harness/index.ts';

const PASSPHRASE = 'seven dates and a coffee pot';

const PICTURE = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de', 'hex');
const READABLE = /before the moment|PostgreSQL-Backup-Manifest|PNG\r\n.\n/s;
const LIMITS = { request: PATIENT_LIMITS, background: PATIENT_LIMITS };
const BUCKET = 's3://dukkan-test/shops/one';

let root: string;
let s3: S3TestServer;
let service: RunningService;
let shop: TestOrganization;
let moment: string;
let picture: string;
let removedPicture: string;
let firstId: string;
const at = (name: string) => path.join(root, name);
const env = (dataDir: string) => ({
  PORT: '0',
  DUKKAN_DATA_DIR: at(dataDir),
  DUKKAN_DEMO: 'false',
  DUKKAN_CONSOLE: 'off',
  LOG_LEVEL: 'silent',
  BACKUP_S3_ENDPOINT: s3.endpoint,
  BACKUP_S3_REGION: s3.settings.region,
  BACKUP_S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
  BACKUP_S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
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

/** Starts a service on a data folder and reads its orders, and an image as a browser would. */
async function readInstallation(dataDir: string): Promise<{ orders: string[]; image: Buffer }> {
  const restored = await startService(readSettings(env(dataDir), root), pino({ level: 'silent' }), { limits: LIMITS });
  try {
    const { sql } = restored.platform;
    const rows = await sql<{ key: string }[]>`select source_transaction_id as key from orders order by id`;
    const image = await fetch(`${restored.baseUrl}/api/v1/files/${picture}`);
    return { orders: rows.map(({ key }) => key), image: Buffer.from(await image.arrayBuffer()) };
  } finally {
    await restored.stop();
  }
}

/** A base backup, then the log as it is written: an order, a moment, another order. */
beforeAll(async () => {
  s3 = await startS3TestServer();
  root = await mkdtemp(path.join(tmpdir(), 'dukkan-backup-'));
  await writeFile(at('passphrase'), `${PASSPHRASE}\n`);
  await writeFile(at('wrong'), 'seven dates and a tea pot\n');
  service = await startService(readSettings(env('data'), root), pino({ level: 'silent' }), { limits: LIMITS });
  const { sql } = service.platform;
  shop = await testOrganization(sql);
  [picture, removedPicture] = [newFileKey(newId(), 'png'), newFileKey(newId(), 'png')];
  for (const key of [picture, removedPicture]) {
    await service.platform.files.put(key, PICTURE, { contentType: 'image/png' });
  }
  await placeOrder('in the base backup');
  ({ id: firstId } = await dukkan('data', ...sealed('backup', '--to', at('backups'))));
  await dukkan('data', ...sealed('backup', '--to', BUCKET));

  const ending = new AbortController();
  let endLsn: bigint | undefined;
  const follow = async (target: string) => {
    const store = { ...openBackupStore(target, s3.settings), flushEveryMs: 500 };
    const reached = Promise.withResolvers<void>();
    const following = followWal({
      address: async () => (await findRunningServer(at('data'))) ?? '',
      repository: await openRepository(store, { passphraseFile: at('passphrase'), create: false }),
      signal: ending.signal,
      onProgress: (lsn) => {
        if (endLsn !== undefined && parseLsn(lsn) >= endLsn) reached.resolve();
      },
      onLost: () => undefined,
    });
    return { reached: reached.promise, ended: following.then(() => store.close()) };
  };
  const followers = [await follow(at('backups')), await follow(BUCKET)];
  await placeOrder('before the moment');
  const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
  moment = String(now?.at.toISOString());
  await placeOrder('after the moment');
  const [end] = await sql<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`;
  endLsn = parseLsn(end?.lsn ?? '');
  for (const { reached } of followers) await reached;
  ending.abort();
  for (const { ended } of followers) await ended;
});
afterAll(async () => {
  await service?.stop();
  await s3?.close();
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
    // As a restore leaves it that was killed.
    await mkdir(at('restored/postgres/cluster.new-killed'));
    const restored = await restore('restored', '--until', moment);
    expect(new Date(restored.restored_until) <= new Date(moment)).toBe(true);
    const clusters = (await readdir(at('restored/postgres'))).filter((name) => name.startsWith('cluster'));
    expect(clusters).toEqual(['cluster']);
    const { orders, image } = await readInstallation('restored');
    expect(orders).toEqual(['in the base backup', 'before the moment']);
    expect(image).toEqual(PICTURE);
    expect(restored.images).toBe(2);
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
    const contents = names.filter((name) => /[0-9A-F]{24}(\.\w+\.part)?$|manifest$|secret$|png$/.test(name));
    expect(contents.length).toBeGreaterThan(2);
    for (const name of contents) {
      const content = await readFile(at(`backups/${name}`), 'latin1');
      expect(READABLE.test(content), name).toBe(false);
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
    await service.platform.files.remove(removedPicture);
    const { id, deleted } = await dukkan('data', ...sealed('backup', '--to', at('backups'), '--keep', '1'));
    const copies = (await readdir(at('backups/files'), { recursive: true })).filter((name) => name.endsWith('.png'));
    expect(copies).toEqual([picture]);
    expect(deleted).toEqual([firstId]);
    expect((await readdir(at('backups/base'))).filter((name) => /^\d/.test(name))).toEqual([id]);
    const { checks } = await dukkan('data', 'doctor');
    expect(checks.find(({ check }: { check: string }) => check === 'backup')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining(id),
    });
    expect(checks.find(({ check }: { check: string }) => check === 'images')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^1 in .*, 1 in the last backup$/),
    });
  });
});

describe('backup and restore in S3', () => {
  const backups = async () => (await dukkan('data', 'backups', '--from', BUCKET)).backups as { id: string }[];

  it('restores to a moment between two orders, from a log that was not complete, with the secret', async () => {
    expect([...s3.objects.keys()].some((key) => /^shops\/one\/wal\/[0-9A-F]{24}\.\w+\.000001\.part$/.test(key))).toBe(
      true,
    );
    const restored = await dukkan('from-s3', ...sealed('restore', '--from', BUCKET, '--until', moment));
    expect(restored.images).toBe(2);
    expect(new Date(restored.restored_until) <= new Date(moment)).toBe(true);
    const { orders, image } = await readInstallation('from-s3');
    expect(orders).toEqual(['in the base backup', 'before the moment']);
    expect(image).toEqual(PICTURE);
    expect(await readFile(at('from-s3/secret'), 'utf8')).toBe(await readFile(at('data/secret'), 'utf8'));
  });

  it('keeps no readable order in the bucket', () => {
    const contents = [...s3.objects].filter(([key]) => /\/wal\/|manifest$|secret$/.test(key));
    expect(contents.length).toBeGreaterThan(2);
    for (const [, { content }] of contents) {
      expect(READABLE.test(content.toString('latin1'))).toBe(false);
    }
  });

  it('does not take an interrupted backup for a good one, and replaces the oldest by the next good one', async () => {
    const [first] = await backups();
    s3.onRequest = (line) =>
      /^PUT .*\/manifest$/.test(line) ? { kind: 'status', status: 403, code: 'AccessDenied' } : undefined;
    await expect(dukkan('data', ...sealed('backup', '--to', BUCKET, '--keep', '1'))).rejects.toThrow(
      /403 AccessDenied/,
    );
    s3.onRequest = undefined;
    expect(await backups()).toEqual([first]);
    expect([...s3.objects.keys()].filter((key) => key.includes('/base/') && !key.includes(String(first?.id)))).toEqual(
      [],
    );
    expect(s3.uploads.size).toBe(0);

    const { id, deleted } = await dukkan('data', ...sealed('backup', '--to', BUCKET, '--keep', '1'));
    expect(deleted).toEqual([first?.id]);
    expect((await backups()).map((backup) => backup.id)).toEqual([id]);
    const { checks } = await dukkan('data', 'doctor');
    expect(checks.find(({ check }: { check: string }) => check === 'backup')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining(`${id} in ${BUCKET}`),
    });
  });

  it('refuses a backup that reads back as something else', async () => {
    const before = await backups();
    // Stored, then damaged in the store: only reading it back notices.
    s3.onRequest = (line) => {
      const [, key = ''] = /^GET \/dukkan-test\/(.*\/base\.tar)$/.exec(line) ?? [];
      s3.objects.get(key)?.content.subarray(-1_000).fill(0x55);
      return undefined;
    };
    await expect(dukkan('data', ...sealed('backup', '--to', BUCKET))).rejects.toThrow(
      /base\.tar is damaged or cut off/,
    );
    s3.onRequest = undefined;
    expect(await backups()).toEqual(before);
  });

  it('refuses a bucket that is not reached, with one line', async () => {
    await expect(dukkan('data', 'backups', '--from', 's3://another-bucket/x')).rejects.toThrow(
      /answered 404 NoSuchBucket/,
    );
  });
});
