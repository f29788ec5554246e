import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { Sql } from '../../src/platform/database/index.ts';
import { connectPatiently } from './connect-patiently.ts';
import { atEndOfFile } from './end-of-file.ts';
import { databaseUrl, prefixesOf } from './global-setup.ts';
import type { TestDatabase } from './index.ts';

export type AccountDatabase = TestDatabase & {
  /** Both names are made of small letters and digits. */
  name: string;
  account: string;
  /** Connected to this database as the superuser of the server. */
  admin: Sql;
};

/**
 * A database and a plain account on the test server, as an operator has them on a server that is not ours. Without an
 * owner of its own the database belongs to the superuser. Both go with the file's tests.
 */
export async function accountDatabase(options: { owns?: boolean; made?: string } = {}): Promise<AccountDatabase> {
  const serverUrl = inject('serverUrl');
  const mark = randomBytes(6).toString('hex');
  const { databases, accounts } = prefixesOf(inject('templateName'));
  const [name, account] = [databases + mark, accounts + mark];
  const server = connectPatiently(serverUrl, 1);
  await server.unsafe(`create role ${account} login password '${mark}'`);
  await server.unsafe(`create database ${name} template template0 ${options.made ?? ''}`);
  if (options.owns ?? true) await server.unsafe(`alter database ${name} owner to ${account}`);
  const url = new URL(databaseUrl(serverUrl, name));
  const admin = connectPatiently(url.href, 1);
  url.username = account;
  url.password = mark;
  const sql = connectPatiently(url.href, 4);
  atEndOfFile(async () => {
    await Promise.all([sql.end({ timeout: 1 }), admin.end({ timeout: 1 })]);
    await server.unsafe(`drop database if exists ${name} with (force)`);
    await server.unsafe(`drop role if exists ${account}`);
    await server.end();
  });
  return { name, account, admin, sql, url: url.href };
}
