import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { findServerAccount } from '../../src/platform/postgres/account.ts';
import { runProgram } from '../../src/platform/postgres/run-program.ts';
import { connectPatiently } from './connect-patiently.ts';

const SETTINGS = `shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
max_prepared_transactions = 100
shared_buffers = 32MB
fsync = off
jit = off
`;

/** Servers of the same programs as the cluster of the tests, which have to be on this machine, for what concerns whole servers. */
export type OwnServers = {
  /** An empty server with the extension in its database `postgres`. */
  make(folder: string): Promise<OwnServer>;
  /** A data folder that something else has written. */
  start(folder: string): Promise<OwnServer>;
  /** Of everything that was started and not ended. */
  stopAll(): Promise<void>;
};

export type OwnServer = { folder: string; url: string; host: string; port: number; kill(): Promise<void> };

export async function findOwnServers(clusterUrl: string): Promise<OwnServers> {
  const sql = connectPatiently(clusterUrl, 1);
  const [row] = await sql<{ programs: string }[]>`select setting as programs from pg_config where name = 'BINDIR'`;
  await sql.end();
  const program = (name: string) => path.join(row?.programs ?? '', name);
  const account = findServerAccount(undefined);
  const running = new Map<string, () => Promise<void>>();

  async function start(folder: string): Promise<OwnServer> {
    if (account !== undefined) await own(folder, account);
    const port = await freePort();
    const control = (...args: string[]) => runProgram(program('pg_ctl'), ['-D', folder, '-w', ...args], { account });
    const kill = async () => {
      running.delete(folder);
      await control('-m', 'immediate', 'stop');
    };
    running.set(folder, kill);
    await control('-l', `${folder}.log`, '-t', '300', '-o', `-p ${port}`, 'start');
    return { folder, port, host: '127.0.0.1', url: `postgres://postgres@127.0.0.1:${port}/postgres`, kill };
  }

  return {
    start,
    async make(folder) {
      await mkdir(folder, { mode: 0o700 });
      await chmod(path.dirname(folder), 0o777);
      if (account !== undefined) await own(folder, account);
      const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '-N'];
      await runProgram(program('initdb'), ['-D', folder, ...options], { account });
      await appendFile(path.join(folder, 'postgresql.conf'), SETTINGS);
      // As an ordinary replication account would have it.
      await appendFile(path.join(folder, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n');
      const server = await start(folder);
      const database = connectPatiently(server.url, 1);
      await database`create extension citus`;
      await database.end();
      return server;
    },
    async stopAll() {
      for (const kill of [...running.values()]) await kill();
    },
  };
}

async function own(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  if ((await readdir(folder)).length > 0) await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, folder]);
  else await chown(folder, uid, gid);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
