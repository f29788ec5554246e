import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectPatiently } from '../../../test/harness/connect-patiently.ts';
import { SUPERUSER } from './init-cluster.ts';
import { type Placement, placeCluster } from './place-cluster.ts';
import { runProgram } from './run-program.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';
import { superviseServer } from './supervise-server.ts';
import { cleanUp, FAST, makeFolder, quietLog } from './testing/holder.ts';
import { upgradeCluster } from './upgrade-cluster.ts';

const OLD_VERSION = 15;
const OLD_PROGRAMS = `/usr/lib/postgresql/${OLD_VERSION}/bin`;
const PASSWORD = 'a password for tests';
const log = quietLog;

/** A data folder as a release with PostgreSQL 15 left it: a table, a sequence and an extension. */
async function makeOldFolder(): Promise<{ dataDir: string; placement: Placement }> {
  const dataDir = makeFolder();
  writeFileSync(join(dataDir, 'postgres.password'), `${PASSWORD}\n`, { mode: 0o600 });
  const placement = placeCluster(dataDir);
  const passwordFile = join(makeFolder(), 'password');
  writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
  const common = ['--username', SUPERUSER, '--pwfile', passwordFile, '--auth', 'scram-sha-256', '--encoding', 'UTF8'];
  const { account } = placement;
  await runProgram(join(OLD_PROGRAMS, 'initdb'), ['-D', placement.clusterDir, ...common, '--locale', 'C.UTF-8', '-N'], {
    account,
  });
  const binaries = {
    initdb: join(OLD_PROGRAMS, 'initdb'),
    postgres: join(OLD_PROGRAMS, 'postgres'),
    pgCtl: join(OLD_PROGRAMS, 'pg_ctl'),
    majorVersion: OLD_VERSION,
  };
  const setup = {
    placement,
    binaries,
    password: PASSWORD,
    logFile: join(dataDir, 'postgres.log'),
    extraSettings: FAST,
    log,
  };
  const server = await superviseServer(setup, 'socket', () => undefined);
  const sql = connectPatiently(server.connection, 1);
  await sql.unsafe(`create extension pg_trgm;
    create table shops (id bigint generated always as identity primary key, name text not null);
    create index shops_name on shops using gin (name gin_trgm_ops);
    insert into shops (name) select 'دكان ' || n from generate_series(1, 1000) as n`);
  await sql.end();
  await server.stop();
  return { dataDir, placement };
}

/** Debian's package of an earlier version; the test is skipped, and says so, on a machine without it. */
describe.skipIf(!existsSync(join(OLD_PROGRAMS, 'pg_dump')))('a data folder of PostgreSQL 15', () => {
  afterEach(cleanUp);

  it('is refused at start with the command to run, upgraded by it, and keeps the old cluster', async () => {
    const { dataDir, placement } = await makeOldFolder();
    const start = () => startEmbeddedPostgres({ dataDir, log, extraSettings: FAST });
    await expect(start()).rejects.toThrow(
      /was created by PostgreSQL 15, this Dukkan includes \d+: run dukkan upgrade-database$/,
    );

    const missing = upgradeCluster({ dataDir, programs: makeFolder(), log });
    await expect(missing).rejects.toThrow(
      /The programs of PostgreSQL 15 .* install postgresql-15, or name their folder/,
    );
    const upgraded = await upgradeCluster({ dataDir, programs: OLD_PROGRAMS, log, extraSettings: FAST });
    expect(upgraded).toMatchObject({ from: 15, tables: 1, oldCluster: `${placement.clusterDir}.pg15` });
    expect(existsSync(join(`${placement.clusterDir}.pg15`, 'PG_VERSION'))).toBe(true);

    const server = await start();
    const sql = connectPatiently(server.connection, 1);
    const [row] = await sql`
      insert into shops (name) values ('next') returning id, (select count(*) from shops where name ilike '%دكان 99%') as found`;
    await sql.end();
    await server.stop();
    expect(row).toEqual({ id: 1001, found: 11 });

    // As when the machine fails between the two renames: an empty database must not be made in its place.
    renameSync(placement.clusterDir, join(placement.home, 'elsewhere'));
    await expect(start()).rejects.toThrow(
      /The upgrade of the database was interrupted: rename .*cluster\.pg15 to cluster/,
    );
  });
});
