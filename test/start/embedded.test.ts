import { execSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoLogins } from '../../src/demo/logins.ts';
import { SECTIONS } from '../../src/modules/analytics/sections/section-names.ts';
import { localDay } from '../../src/platform/local-day.ts';
import { call, patienceMs } from '../harness/index.ts';
import { SOURCE_PROGRAM } from './program.ts';
import { run, type ServiceProcess, startProcess } from './service-process.ts';

type Dashboard = {
  fetched_at: string;
  data: { summary: object; trends: { date: string; orders: number }[]; sensy: object[] };
  errors?: Record<string, string>;
};

const dayInRiyadh = (at = '') => localDay(new Date(at), 'Asia/Riyadh');

/** One data folder through the life of an installation; the steps build on each other. */
describe('npm start on an empty folder and what follows', () => {
  let parent: string;
  let dataDir: string;
  let service: ServiceProcess;
  let logins: DemoLogins;
  /** What the first start answered as soon as it said that it was ready. */
  let firstHealth: string;
  let firstDashboards: Dashboard[];
  const readLogins = (): DemoLogins => JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8'));
  const modeOf = (file: string) => (statSync(path.join(dataDir, file)).mode & 0o777).toString(8);
  const credentials = (token: string) => call(service.baseUrl, 'GET /auth/credentials', { token });
  const leads = async () =>
    (await call<{ leads: { name: string }[] }>(service.baseUrl, 'GET /leads', { token: logins.commercial.token })).body
      .leads;

  const health = async () => (await call(service.baseUrl, 'GET /health')).body.status as string;
  /** Of the two organizations that trade. */
  const dashboards = () =>
    Promise.all(
      logins.organizations.slice(0, 2).map(async ({ owner }) => {
        const { body } = await call<Dashboard>(service.baseUrl, 'GET /analytics/dashboard', { token: owner.token });
        return body;
      }),
    );

  beforeAll(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'dukkan start '));
    dataDir = path.join(parent, 'data');
    service = await startProcess({ DUKKAN_DATA_DIR: dataDir, DUKKAN_DEMO: 'static' }, SOURCE_PROGRAM);
    logins = readLogins();
    firstHealth = await health();
    firstDashboards = await dashboards();
  });
  afterAll(async () => {
    if (service?.child.exitCode === null) await service.stop();
    await rm(parent, { recursive: true, force: true });
  });

  it('the first start says where it is and how to get in, and its curl works as it is printed', async () => {
    const said = service.out();
    expect(said).toContain(`Dukkan is ready at ${service.baseUrl}`);
    expect(said).toContain(logins.organizations[0]?.owner.password);
    const curl = said.split('\n').find((line) => line.trim().startsWith('curl '));
    const answer = JSON.parse(execSync(String(curl), { encoding: 'utf8' }));
    expect(answer).toMatchObject({ tenant: { id: logins.organizations[0]?.id }, service_operational: true });
  });

  it('is healthy and has all nine sections of the dashboard the moment it is ready', () => {
    expect(firstHealth).toBe('healthy');
    for (const [index, { data, errors }] of firstDashboards.entries()) {
      expect(errors).toBeUndefined();
      expect(Object.keys(data)).toEqual(SECTIONS);
      const least = index === 0 ? 1_800 : 150;
      expect(data.summary).toMatchObject({ orders: expect.toSatisfy((orders) => orders > least) });
      expect(data.trends.filter(({ orders }) => orders > 0).length).toBeGreaterThanOrEqual(29);
    }
  });

  it('keeps what is secret for its owner alone', () => {
    expect([modeOf('demo.json'), modeOf('secret'), modeOf('.')]).toEqual(['600', '600', '700']);
    expect(logins.base_url).toBe(service.baseUrl);
  });

  it('the demo logins are who they say they are', async () => {
    const [first, second] = logins.organizations;
    for (const organization of logins.organizations) {
      for (const role of ['owner', 'member', 'viewer'] as const) {
        const { body } = await credentials(organization[role].token);
        expect(body).toMatchObject({
          tenant: { id: organization.id },
          user: { role, email: organization[role].email },
        });
      }
    }
    const both = await call(service.baseUrl, 'GET /auth/credentials', {
      token: first?.owner.token,
      organizationId: second?.id,
    });
    expect(both.body).toMatchObject({ tenant: { id: second?.id } });
    expect((await credentials(logins.suspended.owner.token)).body).toMatchObject({ service_operational: false });
    expect((await call(service.baseUrl, 'GET /jobs/x', { token: logins.suspended.owner.token })).status).toBe(402);
    const { email, password } = logins.commercial;
    expect((await call(service.baseUrl, 'POST /auth/login', { body: { email, password } })).status).toBe(200);
    expect((await leads()).length).toBeGreaterThan(3);
  });

  it('a second service on the folder says so in one line and leaves', async () => {
    // Started twice with the same settings, the port is in the way as well; the folder is the better answer.
    const settings = { DUKKAN_DATA_DIR: dataDir, LOG_LEVEL: 'warn', PORT: new URL(service.baseUrl).port };
    const { code, out, err } = await run(['serve'], settings).ended;
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toMatch(/^dukkan: Another Dukkan \(pid \d+\) is using .*\n$/);
    expect(err).toContain(`pid ${service.child.pid}`);
    expect((await call(service.baseUrl, 'GET /ping')).status).toBe(200);
  });

  it('commands join the service that is running', async () => {
    const { code, out } = await run(['org', 'create', '--name-en', 'Beside', '--json'], { DUKKAN_DATA_DIR: dataDir })
      .ended;
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ organization_id: expect.any(String) });
    const seeded = await run(['seed'], { DUKKAN_DATA_DIR: dataDir }).ended;
    expect(seeded.out).toBe(`The demo was loaded before. Its logins are in ${path.join(dataDir, 'demo.json')}\n`);
  });

  it('kill -9 loses nothing that was acknowledged', async () => {
    const lead = { name: 'before the crash', email: 'a@b.co' };
    expect((await call(service.baseUrl, 'POST /leads', { body: lead })).status).toBe(200);
    service.child.kill('SIGKILL');
    expect((await service.ended).signal).toBe('SIGKILL');
    service = await startProcess({ DUKKAN_DATA_DIR: dataDir, DUKKAN_DEMO: 'static' });
    expect(await leads()).toContainEqual(expect.objectContaining(lead));
    expect(readLogins().base_url).toBe(service.baseUrl);
  });

  it('Ctrl-C stops everything, the database too', async () => {
    const { code, signal } = await service.stop('SIGINT');
    expect([code, signal]).toEqual([0, null]);
    expect(existsSync(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false);
  });

  it('the next start finds the same logins, and loads no second demo', async () => {
    service = await startProcess({ DUKKAN_DATA_DIR: dataDir });
    expect({ ...readLogins(), base_url: '' }).toEqual({ ...logins, base_url: '' });
    expect((await credentials(String(logins.organizations[0]?.owner.token))).status).toBe(200);
    expect((await leads()).filter(({ name }) => name === 'Sara Al-Harbi')).toHaveLength(1);
  });

  it('orders come in by themselves unless DUKKAN_DEMO is static', async () => {
    const newest = async () => {
      const token = logins.organizations[0]?.owner.token;
      const { body } = await call<{ orders: { order: { created_at: string } }[] }>(
        service.baseUrl,
        'GET /orders?limit=1',
        {
          token,
        },
      );
      return Date.parse(body.orders[0]?.order.created_at ?? '');
    };
    expect(Date.now() - (await newest())).toBeGreaterThan(5_000);
    await expect.poll(async () => Date.now() - (await newest()), { timeout: 2 * patienceMs() }).toBeLessThan(3_000);
  });

  it('shows the same of past days as the first start did when it was ready', async () => {
    for (const [index, { data, fetched_at }] of (await dashboards()).entries()) {
      const first = firstDashboards[index];
      const today = dayInRiyadh(first?.fetched_at);
      const past = (days: Dashboard['data']['trends'] = []) => days.filter(({ date }) => date < today);
      const firstDays = new Map(past(first?.data.trends).map((day) => [day.date, day]));
      const both = past(data.trends).filter(({ date }) => firstDays.has(date));
      expect(both.length).toBeGreaterThanOrEqual(28);
      expect(both).toEqual(both.map(({ date }) => firstDays.get(date)));
      // A new day has forecasts of its own.
      if (dayInRiyadh(fetched_at) === today) expect(data.sensy).toEqual(first?.data.sensy);
    }
  });
});
