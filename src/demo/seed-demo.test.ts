import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { call, testAccount, testOrganization, testService } from '../../test/harness/index.ts';
import { newId } from '../platform/ids.ts';
import { findDemoLogins, seedDemo } from './index.ts';

const service = await testService();
const { platform, sql, dataDir } = service;
const usual = path.join(dataDir, 'demo.json');

it('refuses a database that serves somebody', async () => {
  await testOrganization(sql);
  await expect(seedDemo(platform, { force: false })).rejects.toThrow(
    /^This database has an organization that the demo did not make, .*: nothing was loaded\. dukkan seed --force loads it beside/,
  );
  expect(await readdir(dataDir)).not.toContain('demo.json');
});

it('names the address that it needs and somebody has', async () => {
  const { userId } = await testAccount(sql, null);
  await sql`update users set email = 'viewer@tihama.example' where id = ${userId}`;
  await expect(seedDemo(platform, { force: true })).rejects.toThrow(
    'The demo needs the address viewer@tihama.example, and there is an account with it: nothing was loaded',
  );
  await sql`update users set email = 'visitor@tihama.example' where id = ${userId}`;
  expect(await sql`select 1 from users where email like '%@najd.example'`).toEqual([]);
});

it('leaves the logins of another installation alone, and finds its own again', { timeout: 120_000 }, async () => {
  const foreign = JSON.stringify({ installation_id: newId(), organizations: [] });
  await writeFile(usual, foreign);
  const said = await seedDemo(platform, { force: true });
  const [, own = ''] = /^The demo is loaded\. Its logins are in (.*)$/.exec(said) ?? [];
  expect([path.dirname(own), own === usual]).toEqual([dataDir, false]);
  expect(await readFile(usual, 'utf8')).toBe(foreign);

  const found = await findDemoLogins(platform);
  expect(found?.file).toBe(own);
  const token = found?.logins.organizations[0]?.owner.token;
  expect((await call(service.baseUrl, 'GET /auth/credentials', { token })).status).toBe(200);
  expect(await seedDemo(platform, { force: false })).toBe(`The demo was loaded before. Its logins are in ${own}`);

  // A file from before installations had ids is its own when the organizations in it are.
  await writeFile(usual, JSON.stringify({ ...found?.logins, installation_id: undefined }));
  expect((await findDemoLogins(platform))?.file).toBe(usual);
  await Promise.all([rm(own), rm(usual)]);
  expect(await seedDemo(platform, { force: false })).toBe(
    `The demo was loaded before. The data folder ${dataDir} does not have its logins: they are in the one it was loaded from.`,
  );
});
