import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Sql } from '../../src/platform/database/index.ts';
import type { Frame } from '../frame/frame.ts';
import { readPgbenchOutput } from './read-pgbench-output.ts';

export type PairWriter = {
  /** For the report: which program wrote the pairs. */
  description: string;
  write(seconds: number): Promise<{ count: number; perSecond: number }>;
};

export const PAIR_CLIENTS = 32;
const DEBIAN = '/usr/lib/postgresql';
const run = promisify(execFile);

/** The least that an order and its event can be: two rows, each with its primary key. */
export async function addPairTables(sql: Sql): Promise<void> {
  await sql`
    create table pair_orders (id bigint generated always as identity primary key, status text not null,
                              total numeric not null, created_at timestamptz not null)`;
  await sql`
    create table pair_events (id bigint generated always as identity primary key, order_id bigint not null,
                              body text not null, occurred_at timestamptz not null)`;
}

/** One statement is one transaction: with `begin` and `commit` around two inserts, the same pair takes four round trips. */
export const PAIR_STATEMENT = `
  with placed as (
    insert into pair_orders (status, total, created_at) values ('RECEIVED', $1::numeric, now()) returning id
  )
  insert into pair_events (order_id, body, occurred_at) select id, 'order.created', now() from placed`;

/** pgbench where there is one; otherwise one process per core that sends the same statement by the driver. */
export async function openPairWriter(frame: Frame, databaseUrl: string): Promise<PairWriter> {
  const pgbench = process.env.BENCH_PGBENCH === 'off' ? undefined : await findPgbench();
  return pgbench === undefined ? openDriverWriter(frame, databaseUrl) : openPgbenchWriter(frame, pgbench, databaseUrl);
}

async function findPgbench(): Promise<string | undefined> {
  const versions = existsSync(DEBIAN) ? await readdir(DEBIAN) : [];
  const newestFirst = versions.toSorted((one, other) => Number(other) - Number(one));
  const folders = [
    ...newestFirst.map((version) => path.join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  return folders.map((folder) => path.join(folder, 'pgbench')).find((file) => existsSync(file));
}

async function openPgbenchWriter(frame: Frame, pgbench: string, databaseUrl: string): Promise<PairWriter> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-bench-pgbench-'));
  frame.atEnd(() => rm(folder, { recursive: true, force: true }));
  const script = path.join(folder, 'pair.sql');
  const statement = PAIR_STATEMENT.replaceAll(/\s+/g, ' ').replace('$1', ':total');
  await writeFile(script, `\\set total random(100, 100000)\n${statement.trim()};\n`);
  const { stdout: version } = await run(pgbench, ['--version']);
  const options = ['--no-vacuum', '--protocol=prepared', `--client=${PAIR_CLIENTS}`, `--file=${script}`];
  return {
    description: `${version.trim()}, ${PAIR_CLIENTS} clients`,
    async write(seconds) {
      // Whole seconds only; its 32 connections may take most of the first one.
      const wholeSeconds = Math.max(2, Math.round(seconds));
      const { stdout } = await run(pgbench, [
        ...options,
        `--jobs=${availableParallelism()}`,
        `--time=${wholeSeconds}`,
        databaseUrl,
      ]);
      return readPgbenchOutput(stdout);
    },
  };
}

async function openDriverWriter(frame: Frame, databaseUrl: string): Promise<PairWriter> {
  const processes = availableParallelism();
  const clients = Math.ceil(PAIR_CLIENTS / processes);
  const writers = await Promise.all(
    Array.from({ length: processes }, () =>
      frame.startBaseline('pair-writer.ts', { DATABASE_URL: databaseUrl, CLIENTS: String(clients) }),
    ),
  );
  return {
    description: `the driver in ${processes} processes, ${clients * processes} clients`,
    async write(seconds) {
      const counted = await Promise.all(
        writers.map(
          async ({ baseUrl }) =>
            (await fetch(`${baseUrl}/?seconds=${seconds}`)).json() as Promise<{ count: number; perSecond: number }>,
        ),
      );
      return {
        count: counted.reduce((sum, { count }) => sum + count, 0),
        perSecond: counted.reduce((sum, { perSecond }) => sum + perSecond, 0),
      };
    },
  };
}
