import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectPatiently } from '../../../test/harness/connect-patiently.ts';
import { type Connection, connectionUrl, startEmbeddedPostgres } from './index.ts';
import { cleanUp, FAST, makeFolder, makeUsedFolder, quietLog } from './testing/holder.ts';

const log = quietLog;

async function ask<Row extends object>(connection: Connection, question: string): Promise<Row[]> {
  const sql = connectPatiently(connection, 1);
  try {
    return [...(await sql.unsafe<Row[]>(question))];
  } finally {
    await sql.end();
  }
}

describe('startEmbeddedPostgres', () => {
  afterEach(cleanUp);

  it('makes a database in an empty folder', async () => {
    const dataDir = join(makeFolder(), 'data');
    const server = await startEmbeddedPostgres({ dataDir, log });

    const settings = await ask<{ name: string; setting: string }>(
      server.connection,
      `select name, setting from pg_settings where name in
        ('fsync', 'synchronous_commit', 'jit', 'server_encoding', 'TimeZone', 'listen_addresses', 'max_connections', 'data_checksums')`,
    );
    const [database] = await ask(
      server.connection,
      `select current_database() as name, current_user as who, datlocprovider as provider, datlocale as locale
         from pg_database where datname = current_database()`,
    );
    const [arabic] = await ask(server.connection, `select upper('é') as upper, 'دكان' ~ '^[[:alpha:]]+$' as letters`);
    await server.stop();

    expect(server.adopted).toBe(false);
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      jit: 'off',
      server_encoding: 'UTF8',
      TimeZone: 'UTC',
      listen_addresses: '',
      max_connections: '200',
      data_checksums: 'on',
    });
    expect(database).toEqual({ name: 'dukkan', who: 'dukkan', provider: 'b', locale: 'C.UTF-8' });
    expect(arabic).toEqual({ upper: 'É', letters: true });
  });

  it('stores the password privately and refuses connections without it', async () => {
    const dataDir = makeFolder();
    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    const intruder = ask({ ...server.connection, password: 'guess' }, 'select 1');
    await expect(intruder).rejects.toThrow(/password authentication failed/);
    await expect(ask(server.connection, `select 'Noura'::int`)).rejects.toThrow(/invalid input syntax/);
    await server.stop();

    const serverLog = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    expect(serverLog).toMatch(/password authentication failed/);
    expect(serverLog).not.toMatch(/Noura/);

    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['cluster']);
  });

  it('finds its data again, in a path with spaces, commas, quotes and Arabic', async () => {
    const dataDir = join(makeFolder(), `my shop, "الدكان" it's`, 'data dir');
    const first = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    await ask(first.connection, 'create table kept as select 42 as answer');
    await first.stop();
    await first.stop();

    const second = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    const rows = await ask(second.connection, 'select answer from kept');
    await second.stop();

    expect(rows).toEqual([{ answer: 42 }]);
    expect(second.connection).toEqual(first.connection);
    expect(second.adopted).toBe(false);
  });

  it('works in a data folder that is closed to others', async () => {
    const dataDir = makeFolder();
    chmodSync(dataDir, 0o700);
    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    const rows = await ask(server.connection, 'select 1 as one');
    await server.stop();

    expect(rows).toEqual([{ one: 1 }]);
    expect(lstatSync(join(dataDir, 'postgres')).isDirectory()).toBe(true);
    expect(statSync(dataDir).mode & 0o066).toBe(0);
  });

  it('moves the socket to a short folder when the data path is too long for one', async () => {
    const dataDir = join(makeFolder(), 'a'.repeat(60), 'b'.repeat(60));
    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    const rows = await ask(server.connection, 'select 1 as one');
    const { host } = server.connection;
    const mode = statSync(host).mode & 0o777;
    await server.stop();

    expect(rows).toEqual([{ one: 1 }]);
    expect(host.startsWith(dataDir)).toBe(false);
    expect(Buffer.byteLength(`${host}/.s.PGSQL.5432`)).toBeLessThanOrEqual(107);
    expect(mode).toBe(0o700);
    expect(lstatSync(host, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('serves two data folders at once over TCP, each at a port of its own', async () => {
    const start = async () =>
      startEmbeddedPostgres({ dataDir: await makeUsedFolder(), log, extraSettings: FAST, listen: 'tcp' });
    const [one, two] = await Promise.all([start(), start()]);
    const sql = connectPatiently(connectionUrl(one.connection), 1);
    const rows = await sql`select current_setting('data_directory') as folder`;
    await sql.end();
    const elsewhere = await ask<{ folder: string }>(
      two.connection,
      `select current_setting('data_directory') as folder`,
    );
    await Promise.all([one.stop(), two.stop()]);

    expect(one.connection.host).toBe('127.0.0.1');
    expect(one.connection.port).not.toBe(two.connection.port);
    expect(rows[0]?.folder).not.toBe(elsewhere[0]?.folder);
  });

  it('refuses a second start on the folder until the first has stopped', async () => {
    const dataDir = await makeUsedFolder();
    const options = { dataDir, log, extraSettings: FAST };
    const first = await startEmbeddedPostgres(options);
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(
      new Error(`Another Dukkan (pid ${process.pid}) is using ${dataDir}`),
    );
    await first.stop();
    const second = await startEmbeddedPostgres(options);
    await second.stop();
  });

  it('says what is wrong with a folder it cannot use, and leaves it unlocked', async () => {
    const dataDir = makeFolder();
    const options = { dataDir, log, extraSettings: FAST };
    const entry = join(dataDir, 'postgres');

    symlinkSync(join(dataDir, 'nowhere'), entry);
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(/points to a folder that is gone/);
    rmSync(entry);

    mkdirSync(join(entry, 'cluster'), { recursive: true });
    writeFileSync(join(entry, 'cluster', 'PG_VERSION'), '18\n');
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(/postgres\.password is missing/);

    writeFileSync(join(dataDir, 'postgres.password'), 'x');
    writeFileSync(join(entry, 'cluster', 'PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(/created by PostgreSQL 17, this Dukkan includes 18/);

    rmSync(entry, { recursive: true });
    const server = await startEmbeddedPostgres(options);
    await server.stop();
  });

  it('reports what the server itself complained about when it does not start', async () => {
    const options = { dataDir: await makeUsedFolder(), log, extraSettings: { shared_buffers: 'plenty' } };
    await expect(startEmbeddedPostgres(options)).rejects.toThrow(
      /did not start: .*invalid value for parameter "shared_buffers": "plenty"/,
    );
    const server = await startEmbeddedPostgres({ ...options, extraSettings: FAST });
    await server.stop();
  });
});
