import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectPatiently } from '../../../test/harness/connect-patiently.ts';
import { findServerAccount } from './account.ts';
import { type Connection, type EmbeddedPostgres, startEmbeddedPostgres } from './index.ts';
import { isAlive } from './process-state.ts';
import {
  cleanUp,
  FAST,
  makeFolder,
  makeUsedFolder,
  quietLog,
  readyHolder,
  startHolder,
  until,
} from './testing/holder.ts';

const log = quietLog;

async function run(connection: Connection, statement: string): Promise<object[]> {
  const sql = connectPatiently(connection, 1);
  try {
    return [...(await sql.unsafe<object[]>(statement))];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** A cluster that was used and stopped properly, with one row to find again. */
async function madeDataDir(): Promise<{ dataDir: string; pidFile: string }> {
  const dataDir = await makeUsedFolder();
  const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
  await run(server.connection, 'create table kept as select 42 as answer');
  await server.stop();
  return { dataDir, pidFile: join(dataDir, 'postgres', 'cluster', 'postmaster.pid') };
}

/** A service that was killed and left its server running, which has one row to find again. */
async function killedService() {
  const dataDir = await makeUsedFolder();
  const killed = await readyHolder({ dataDir });
  await run(killed.connection, 'create table kept as select 42 as answer');
  await killed.holder.end('SIGKILL');
  return { dataDir, killed };
}

async function expectKept(server: EmbeddedPostgres): Promise<void> {
  expect(await run(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
}

function pidFileText(dataDir: string, pid: number): string {
  const socketDir = join(dataDir, 'postgres', 'run');
  return [pid, join(dataDir, 'postgres', 'cluster'), 1_700_000_000, 5432, socketDir, '', '  1  2', 'ready   ', ''].join(
    '\n',
  );
}

describe('after a crash', () => {
  afterEach(cleanUp);

  it('takes over the server of a service that was killed with kill -9', async () => {
    const { dataDir, killed } = await killedService();

    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    expect(server.adopted).toBe(true);
    expect(server.pid).toBe(killed.pid);
    await expectKept(server);
    await server.stop();
    expect(isAlive(killed.pid)).toBe(false);
  });

  it('replaces a left-over server that listens elsewhere than wanted', async () => {
    const { dataDir, killed } = await killedService();

    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST, listen: 'tcp' });
    expect(server.adopted).toBe(false);
    expect(isAlive(killed.pid)).toBe(false);
    await expectKept(server);
    await server.stop();
  });

  it('waits for a left-over server that is just shutting down', async () => {
    const { dataDir, killed } = await killedService();
    process.kill(killed.pid, 'SIGINT');

    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    expect(server.adopted).toBe(false);
    await expectKept(server);
    await server.stop();
  });

  it('recovers when service and server were both killed with kill -9', async () => {
    const { dataDir, killed } = await killedService();
    process.kill(killed.pid, 'SIGKILL');
    await until('the server is gone', () => !isAlive(killed.pid));

    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    expect(server.adopted).toBe(false);
    await expectKept(server);
    await server.stop();
  });

  it('starts over the pid file of a dead process', async () => {
    const { dataDir, pidFile } = await madeDataDir();
    const dead = spawn('true');
    await once(dead, 'exit');
    writeFileSync(pidFile, pidFileText(dataDir, dead.pid ?? 0));

    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    expect(server.adopted).toBe(false);
    await expectKept(server);
    await server.stop();
  });

  it('starts over pid files whose number now belongs to another process, and does not kill it', async () => {
    const { dataDir, pidFile } = await madeDataDir();
    const socketDir = join(dataDir, 'postgres', 'run');
    // Under the server's own account, since PostgreSQL by itself already sees through the pids of others.
    const account = findServerAccount(undefined);
    const otherProcess = spawn('sleep', ['600'], account ? { uid: account.uid, gid: account.gid } : {});
    await once(otherProcess, 'spawn');
    try {
      writeFileSync(pidFile, pidFileText(dataDir, otherProcess.pid ?? 0));
      mkdirSync(socketDir, { mode: 0o700 });
      writeFileSync(join(socketDir, '.s.PGSQL.5432.lock'), pidFileText(dataDir, otherProcess.pid ?? 0));
      if (account) chownSync(socketDir, account.uid, account.gid);
      const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
      expect(server.adopted).toBe(false);
      await expectKept(server);
      await server.stop();
      expect(otherProcess.exitCode).toBeNull();
      expect(isAlive(otherProcess.pid ?? 0)).toBe(true);
    } finally {
      otherProcess.kill('SIGKILL');
    }
  });

  it('starts over a pid file that a power cut left empty', async () => {
    const { dataDir, pidFile } = await madeDataDir();
    writeFileSync(pidFile, '');
    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    await expectKept(server);
    await server.stop();
  });

  it('is not stuck with a half-made database when the first start is killed', async () => {
    const dataDir = makeFolder();
    const home = join(dataDir, 'postgres');
    const interrupted = startHolder({ dataDir });
    const staging = () => (existsSync(home) ? readdirSync(home) : []).find((name) => /^cluster\.new-\w+$/.test(name));
    await until('initdb has begun', () => existsSync(join(home, staging() ?? 'none', 'PG_VERSION')));
    process.kill(-interrupted.pid, 'SIGKILL');
    await once(interrupted.child, 'exit');
    expect(existsSync(join(home, 'cluster'))).toBe(false);
    expect(staging()).toBeDefined();

    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    expect(await run(server.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(readdirSync(home).sort()).toEqual(['cluster', 'run']);
    await server.stop();
  });

  it('brings a killed server back at the same address, again and again', async () => {
    const dataDir = await makeUsedFolder();
    const warnings: string[] = [];
    const server = await startEmbeddedPostgres({
      dataDir,
      extraSettings: FAST,
      log: { info: () => {}, warn: (_details, message) => warnings.push(message) },
    });
    await run(server.connection, 'create table kept as select 42 as answer');
    // A connection that is busy when the server dies, as in the service.
    const pool = connectPatiently(server.connection, 2);
    const busy = pool`select pg_sleep(60)`.catch((error: unknown) => error);
    await pool`select 1`;

    for (let round = 1; round <= 2; round += 1) {
      const pidBefore = server.pid;
      process.kill(pidBefore, 'SIGKILL');
      await until('the server is back', () =>
        run(server.connection, 'select 1').then(
          () => server.pid !== pidBefore,
          () => false,
        ),
      );
      await expectKept(server);
      expect(warnings).toHaveLength(round);
    }
    expect(await busy).toBeInstanceOf(Error);
    expect([...(await pool`select answer from kept`)]).toEqual([{ answer: 42 }]);
    await pool.end({ timeout: 1 });
    const lastPid = server.pid;
    await server.stop();
    expect(isAlive(lastPid)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('does not wait for the endless calculation of a dead server', async () => {
    const dataDir = await makeUsedFolder();
    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    const pool = connectPatiently(server.connection, 2);
    const endless = pool`do $$ begin loop perform 1; end loop; end $$`.catch((error: unknown) => error);
    let backendPid = 0;
    await until('the calculation runs', async () => {
      const [found] = await pool<{ pid: number }[]>`select pid from pg_stat_activity where query like 'do %'`;
      backendPid = found?.pid ?? 0;
      return found !== undefined;
    });
    const pidBefore = server.pid;
    process.kill(pidBefore, 'SIGKILL');
    await until('the server is back', () =>
      run(server.connection, 'select 1').then(
        () => server.pid !== pidBefore,
        () => false,
      ),
    );
    expect(await endless).toBeInstanceOf(Error);
    expect(isAlive(backendPid)).toBe(false);
    await pool.end({ timeout: 1 });
    await server.stop();
  });

  it('brings an adopted server back too, and can be stopped in the middle of that', async () => {
    const dataDir = await makeUsedFolder();
    const killed = await readyHolder({ dataDir });
    await killed.holder.end('SIGKILL');
    const server = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    expect(server.adopted).toBe(true);

    process.kill(server.pid, 'SIGKILL');
    await until('the server is back', () => server.pid !== killed.pid && isAlive(server.pid));
    process.kill(server.pid, 'SIGKILL');
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
    const again = await startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    expect(again.adopted).toBe(false);
    await again.stop();
  });
});

describe('several services on one folder', () => {
  afterEach(cleanUp);

  it('refuses a second process with one line that names the first', async () => {
    const dataDir = await makeUsedFolder();
    const first = await readyHolder({ dataDir });
    expect(await startHolder({ dataDir }).first).toEqual({
      event: 'failed',
      message: `Another Dukkan (pid ${first.holder.pid}) is using ${dataDir}`,
    });
    expect(await run(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await first.holder.end('SIGTERM');
    expect(isAlive(first.pid)).toBe(false);
  });

  it('lets exactly one of several first starts win', async () => {
    const dataDir = makeFolder();
    const holders = Array.from({ length: 5 }, () => startHolder({ dataDir }));
    const lines = await Promise.all(holders.map((holder) => holder.first));
    const winner = holders[lines.findIndex((line) => line.event === 'ready')];
    const lost = lines.filter((line) => line.event === 'failed');

    expect(lost).toHaveLength(4);
    for (const line of lost) {
      expect(line.message).toBe(`Another Dukkan (pid ${winner?.pid}) is using ${dataDir}`);
    }
    expect(readFileSync(join(dataDir, 'dukkan.pid'), 'utf8').trim()).toBe(String(winner?.pid));
    await winner?.end('SIGTERM');
  });
});
