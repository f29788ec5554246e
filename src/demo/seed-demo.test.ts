import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { testAccount, testDatabase, testOrganization } from '../../test/harness/index.ts';
import { systemClock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { settleFact } from '../platform/installation/index.ts';
import type { Platform } from '../platform/platform.ts';
import { findDemoLogins, seedDemo } from './index.ts';
import { type DemoLogins, writeLogins } from './logins.ts';

const { sql } = await testDatabase();
const dataDir = await mkdtemp(path.join(tmpdir(), 'dukkan-seed-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));
// What is refused needs no more of a platform than this.
const log = pino({ level: 'silent' });
const platform = { sql, clock: systemClock(), config: { dataDir }, log } as unknown as Platform;
const usual = path.join(dataDir, 'demo.json');
const shop = await testOrganization(sql);

describe('a database with other organizations', () => {
  it('is refused unless it is asked for', async () => {
    await expect(seedDemo(platform, { force: false })).rejects.toThrow(
      /^This database has an organization that the demo did not make, .*: nothing was loaded\. dukkan seed --force loads it beside/,
    );
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('is refused when a user has an address of the demo; the error names it', async () => {
    const { userId } = await testAccount(sql, shop.id);
    await sql`update users set email = 'viewer@najd.example' where id = ${userId}`;
    await expect(seedDemo(platform, { force: true })).rejects.toThrow(
      'The demo needs the address viewer@najd.example, and there is an account with it: nothing was loaded',
    );
    expect(await sql`select 1 from users where email = 'owner@najd.example'`).toEqual([]);
    expect(await readdir(dataDir)).toEqual([]);
  });
});

describe('the logins', () => {
  const loginsOf = (installation_id: string | undefined) =>
    ({ base_url: '', organizations: [{ id: shop.id }], installation_id }) as DemoLogins;

  it('of another installation are left alone, and its own are found beside them', async () => {
    const own = await settleFact(sql, 'installation_id', newId());
    await settleFact(sql, 'demo_loaded_at', new Date().toISOString());
    const foreign = JSON.stringify({ installation_id: newId(), organizations: [] });
    await writeFile(usual, foreign);
    const file = await writeLogins(dataDir, loginsOf(own));
    expect([path.dirname(file), await readFile(usual, 'utf8')]).toEqual([dataDir, foreign]);
    expect(await findDemoLogins(platform)).toEqual({ file, logins: loginsOf(own) });
    const text = `The demo was loaded before. Its logins are in ${file}`;
    expect(await seedDemo(platform, { force: false })).toEqual({ loaded: false, logins: file, text });
    await Promise.all([rm(file), rm(usual)]);
    expect(await seedDemo(platform, { force: false })).toEqual({
      loaded: false,
      logins: null,
      text: `The demo was loaded before. The data folder ${dataDir} does not have its logins: they are in the one it was loaded from.`,
    });
    // Its own, left by a load that was cut off, are written anew; what cannot be read belongs to others.
    expect(await writeLogins(dataDir, loginsOf(own))).toBe(usual);
    expect(await writeLogins(dataDir, loginsOf(own))).toBe(usual);
    await writeFile(usual, '{ "half a file');
    expect(await writeLogins(dataDir, loginsOf(own))).toBe(file);
    await Promise.all([rm(file), rm(usual)]);
  });

  it('of before installations had ids are its own when it knows the organization in them', async () => {
    await writeFile(usual, JSON.stringify(loginsOf(undefined)));
    expect((await findDemoLogins(platform))?.file).toBe(usual);
    await writeFile(usual, JSON.stringify({ ...loginsOf(undefined), organizations: [{ id: newId() }] }));
    expect(await findDemoLogins(platform)).toBeUndefined();
  });
});
