import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, patienceMs, type TestService, testService } from '../harness/index.ts';
import { run } from './service-process.ts';

let folder: string;
let service: TestService;
let settings: Record<string, string>;

/** The service runs here; each command is a process of its own beside it, on the same database. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-commands-'));
  service = await testService();
  settings = {
    DATABASE_URL: service.databaseUrl,
    DUKKAN_SECRET: service.platform.secret,
    DUKKAN_DATA_DIR: folder,
    LOG_LEVEL: 'warn',
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function dukkan(line: string): Promise<Record<string, string>> {
  const { code, out, err } = await run([...line.split(' '), '--json'], settings).ended;
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

describe('setting up a tenant', () => {
  it('an organization, an owner, a token, a key, a suspension and its end', async () => {
    const { organization_id: id } = await dukkan('org create --name-en Najd --name-ar نجد --time-zone Asia/Dubai');
    const owner = await dukkan(`user create --email owner@nakheel.example --org ${id} --role owner`);
    const login = await call<{ access_token: string }>(service.baseUrl, 'POST /auth/login', {
      body: { email: 'OWNER@nakheel.example', password: owner.password },
    });
    expect(login.status).toBe(200);
    const { token } = await dukkan(`token create --email owner@nakheel.example --name cli --days 2`);
    const seen = await call(service.baseUrl, 'GET /auth/credentials', { token });
    expect(seen.body).toMatchObject({
      tenant: { id, name_en: 'Najd', name_ar: 'نجد' },
      user: { id: owner.user_id, role: 'owner' },
      token: { type: 'session_token', expires_at: expect.any(String) },
    });

    const key = await dukkan(`api-key create --org ${id} --name bridge`);
    const keys = await call<{ data: { id: string; name: string }[] }>(service.baseUrl, 'GET /auth/api-keys', { token });
    expect(keys.body.data).toEqual([expect.objectContaining({ id: key.id, name: 'bridge' })]);
    expect(key.api_key).toMatch(/^dkk_/);

    const soon = { timeout: patienceMs(), interval: 20 };
    const status = async () => (await call(service.baseUrl, 'GET /jobs/none', { token })).status;
    expect(await dukkan(`org suspend ${id}`)).toEqual({ organization_id: id, suspended: true });
    await expect.poll(status, soon).toBe(402);
    await dukkan(`org resume ${id}`);
    await expect.poll(status, soon).toBe(404);
  });
});

describe('the other commands', () => {
  it('openapi prints what the service serves, and needs no database for it', async () => {
    const { code, out } = await run(['openapi'], { DUKKAN_DATA_DIR: folder, LOG_LEVEL: 'warn' }).ended;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual((await call(service.baseUrl, 'GET /openapi.json')).body);
  });

  it('migrate on a database that is up to date', async () => {
    expect((await run(['migrate'], settings).ended).out).toBe('The database is up to date.\n');
  });

  it('help needs neither a database nor settings that can be read', async () => {
    const help = await run(['help'], { PORT: 'eighty', LOG_FORMAT: 'poem' }).ended;
    expect([help.code, help.err]).toEqual([0, '']);
    for (const command of ['serve', 'migrate', 'seed', 'org create', 'user create', 'token create', 'api-key create']) {
      expect(help.out).toContain(command);
    }
  });
});

describe('a command that cannot be carried out', () => {
  it('says why before anything else, and where to read how it is used', async () => {
    const { code, out, err } = await run(['org', 'create'], settings).ended;
    expect([code, out, err]).toEqual([2, '', 'dukkan: --name-en is required\nSee dukkan org create --help\n']);
  });

  it('says so in JSON when that was asked for', async () => {
    const { code, out, err } = await run(['bake', 'bread', '--json'], { PORT: 'eighty' }).ended;
    expect([code, out]).toEqual([2, '']);
    expect(JSON.parse(err)).toEqual({ error: 'Unknown command: bake bread; dukkan help lists them all' });
  });
});
