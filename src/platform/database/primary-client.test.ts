import { expect, it } from 'vitest';
import { connectPatiently, testDatabase } from '../../../test/harness/index.ts';
import { findFaultInDatabaseUrl, readDatabaseUrl } from './database-url.ts';

/** Nothing listens on port 1. That a standby is passed over is shown by `npm run chaos standby`. */
it('finds the host that takes writes among several, for statements and for notifications', async () => {
  const { url, sql } = await testDatabase();
  const several = url.replace(/@([^/]+)\//, '@127.0.0.1:1,$1/');
  const found = connectPatiently(`${several}?target_session_attrs=read-write`, 2);
  try {
    const noticed = Promise.withResolvers<string>();
    await found.listen('several_hosts', noticed.resolve);
    await sql`select pg_notify('several_hosts', 'here')`;
    expect(await noticed.promise).toBe('here');
    const [row] = await found`select current_setting('transaction_read_only') as read_only`;
    expect(row).toEqual({ read_only: 'off' });
  } finally {
    await found.end({ timeout: 1 });
  }
});

it.each([
  [
    'postgres://u:p@one:5433,two/shop',
    [
      { host: 'one', port: 5433 },
      { host: 'two', port: 5432 },
    ],
  ],
  [
    'postgres://u@[::1]:5433,[fd00::2]/shop',
    [
      { host: '::1', port: 5433 },
      { host: 'fd00::2', port: 5432 },
    ],
  ],
  ['postgres://u@one/shop', []],
  ['postgres://u@/shop?host=/run/postgresql', []],
])('reads the hosts of %s', (url, hosts) => {
  expect(findFaultInDatabaseUrl(url)).toBeUndefined();
  expect(readDatabaseUrl(url).hosts).toEqual(hosts);
  expect(readDatabaseUrl(url).connectionString).not.toContain(',');
});
