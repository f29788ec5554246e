import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { accountDatabase } from '../../../test/harness/account-database.ts';
import { connectPatiently } from '../../../test/harness/connect-patiently.ts';
import { MIGRATIONS_FOLDER } from '../../open-installation.ts';
import { checkServer, findFaultInServer, type Server, warnAboutServer } from './check-server.ts';
import { migrate, type Sql } from './index.ts';

const refusalOf = (sql: Sql) =>
  checkServer(sql, 'The database').then(
    () => '',
    (error: Error) => error.message,
  );

const GOOD: Server = {
  version: 150_000,
  encoding: 'UTF8',
  isStandby: false,
  isReadOnly: false,
  replicationRole: 'origin',
  database: 'shop',
  user: 'app',
  schema: 'public',
  mayCreateTables: true,
  mayCreateSchemas: true,
  hasQueueSchema: false,
  tablesElsewhere: null,
  foreignOwner: null,
};

describe('a server that cannot be had here', () => {
  it.each<[string, Partial<Server>, RegExp | undefined]>([
    ['of the oldest version that will do', {}, undefined],
    ['that is too old', { version: 140_011 }, /^it is PostgreSQL 14, and 15 or newer is needed$/],
    [
      'that is a standby',
      { isStandby: true, isReadOnly: true },
      /^the server is a standby, .* address of the primary$/,
    ],
    ['that takes no writes', { isReadOnly: true }, /^the server lets this account read only$/],
    ['without a schema', { schema: null, mayCreateTables: false }, /create schema public$/],
  ])('%s', (_what, differs, fault) => {
    const found = findFaultInServer({ ...GOOD, ...differs });
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });
});

describe('a database that is refused, and what to do about it', () => {
  it('another encoding than UTF8', async () => {
    const { sql } = await accountDatabase({ made: "encoding 'SQL_ASCII' locale_provider libc locale 'C'" });
    expect(await refusalOf(sql)).toMatch(/^The database cannot be used: its encoding is SQL_ASCII, .*encoding 'UTF8'/);
  });

  it('rights that are missing, one after the other, until it is enough', async () => {
    const { sql, admin, account, name } = await accountDatabase({ owns: false });
    const doAsSaid = async (pattern: RegExp) => {
      const refusal = await refusalOf(sql);
      expect(refusal).toMatch(pattern);
      return admin.unsafe(String(pattern.exec(refusal)?.[1]));
    };
    await doAsSaid(/ may not make tables in it: have its owner run (grant create on schema public to \S+)$/);
    await admin`create schema pgboss`;
    // Without the right to make schemas there is none to add extensions either.
    await doAsSaid(
      new RegExp(`${account} may not add pg_trgm and btree_gin: have a superuser run, in database ${name}, (.*;) `),
    );
    expect(await refusalOf(sql)).toBe('');
    await admin`drop schema pgboss`;
    await doAsSaid(
      / may not make the schema of the job queue: have its owner run (grant create on database \S+ to \S+)$/,
    );
    expect(await refusalOf(sql)).toBe('');
    await migrate(sql, MIGRATIONS_FOLDER);
  });

  it('tables of another account, until it is granted', async () => {
    const { sql, admin, account } = await accountDatabase();
    await migrate(admin, MIGRATIONS_FOLDER);
    const refusal = await refusalOf(sql);
    expect(refusal).toMatch(/its tables belong to \S+: connect as that account, or grant /);
    await admin.unsafe(String(/, or (grant .*)$/.exec(refusal)?.[1]));
    expect(await refusalOf(sql)).toBe('');
    await admin.unsafe(`revoke ${/grant (\S+) to/.exec(refusal)?.[1]} from ${account}`);
  });

  it('tables in another schema, until the address says so', async () => {
    const { sql, url } = await accountDatabase();
    await sql`create schema shop`;
    await sql`create extension pg_trgm`;
    const there = connectPatiently(`${url}?options=-csearch_path%3Dshop,public`, 1);
    await migrate(there, MIGRATIONS_FOLDER);
    await there.end();
    const [, remedy] =
      /its tables are in schema shop: add (\?options=\S+) to DATABASE_URL$/.exec(await refusalOf(sql)) ?? [];
    expect(remedy).toBe('?options=-csearch_path%3Dshop');
    const again = connectPatiently(`${url}?options=-csearch_path%3Dshop,public`, 1);
    expect(await refusalOf(again)).toBe('');
    await again.end();
  });

  it('trigrams where they are not found, until they are moved', async () => {
    const { sql, admin } = await accountDatabase();
    await admin`create schema extensions`;
    await admin`create extension pg_trgm schema extensions`;
    const refusal = await refusalOf(sql);
    expect(refusal).toMatch(/pg_trgm is in schema extensions, where it is not looked for: /);
    await admin.unsafe(String(/: (alter extension .*), or /.exec(refusal)?.[1]));
    expect(await refusalOf(sql)).toBe('');
  });

  it('triggers that do not run', async () => {
    const { admin, name, url } = await accountDatabase();
    await admin.unsafe(`alter database ${name} set session_replication_role = replica`);
    const sql = connectPatiently(url, 1);
    expect(await refusalOf(sql)).toMatch(/session_replication_role is replica, with which triggers do not run/);
    await sql.end();
  });
});

describe('a server that will do', () => {
  async function warningsOf(sql: Sql, connections: number): Promise<string[]> {
    const warnings: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(JSON.parse(line).msg) });
    await warnAboutServer(sql, log, { connections });
    return warnings;
  }

  it('is warned about once when Arabic has no letters in it', async () => {
    const { sql } = await accountDatabase({ made: "encoding 'UTF8' locale_provider libc locale 'C'" });
    expect(await refusalOf(sql)).toBe('');
    await sql`create extension pg_trgm`;
    expect(await warningsOf(sql, 10)).toEqual([
      expect.stringMatching(/^Arabic has no letters in .* lc_ctype 'C.UTF-8'$/),
    ]);
  });

  it('is warned about once when it allows fewer connections than the process opens', async () => {
    const { sql, admin, account } = await accountDatabase();
    await sql`create extension pg_trgm`;
    expect(await warningsOf(sql, 10)).toEqual([]);
    expect(await warningsOf(sql, 100_000)).toEqual([
      expect.stringMatching(/^This process opens up to 100000 .*POOL_SIZE$/),
    ]);
    await admin.unsafe(`alter role ${account} connection limit 9`);
    expect(await warningsOf(sql, 10)).toEqual([expect.stringMatching(/allows 9 in total/)]);
  });
});
