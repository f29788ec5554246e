import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BOUNDED_MS,
  call,
  openSocket,
  readAnswer,
  TEST_SECRET,
  testDatabase,
  testOrganization,
} from '../harness/index.ts';
import { tcpProxy } from '../harness/tcp-proxy.ts';
import { run, type ServiceProcess, said, startProcess } from './service-process.ts';

let folder: string;
let settings: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-drain-'));
  settings = { DATABASE_URL: (await testDatabase()).url, DUKKAN_SECRET: TEST_SECRET, DUKKAN_DATA_DIR: folder };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const LEAD = JSON.stringify({ name: 'Sara', email: 'sara@example.com' });
const HEAD = `POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${LEAD.length}\r\nexpect: 100-continue\r\n\r\n`;
/** Resolves when the head of the request has been read: from then on it is in progress. */
const IN_PROGRESS = 'HTTP/1.1 100 Continue';
const WHOLE_LEAD = HEAD.replace('expect: 100-continue\r\n', '') + LEAD;
const PING = 'GET /api/v1/ping HTTP/1.1\r\nhost: x\r\n\r\n';

async function beginLead(socket: Socket): Promise<void> {
  socket.write(HEAD);
  const [bytes] = await once(socket, 'data');
  expect(String(bytes)).toContain(IN_PROGRESS);
  socket.write(LEAD.slice(0, 10));
}

const accepts = (service: ServiceProcess) =>
  openSocket(service.baseUrl).then(
    (socket) => {
      socket.destroy();
      return true;
    },
    () => false,
  );

describe('SIGTERM', () => {
  it('lets what is in progress finish, takes nothing new, and ends with code 0', async () => {
    const service = await startProcess(settings);
    const halfway = await openSocket(service.baseUrl);
    await beginLead(halfway);
    // An open connection that has been used before and is now in the middle of its next request line.
    const kept = await openSocket(service.baseUrl);
    kept.write(PING);
    expect((await readAnswer(kept)).status).toBe(200);
    kept.write(PING.slice(0, 10));
    // The next round trip ends after the service has seen these bytes, which came to it before.
    const idle = await openSocket(service.baseUrl);
    idle.write(PING);
    expect((await readAnswer(idle)).status).toBe(200);

    const idleClosed = once(idle.resume(), 'close');
    const startedMs = performance.now();
    service.child.kill('SIGTERM');
    await expect.poll(() => accepts(service)).toBe(false);
    await idleClosed;
    kept.write(PING.slice(10));
    const refused = await readAnswer(kept);
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.body)).toEqual({
      code: 503,
      error: 'Service unavailable',
      details: 'The service is stopping',
    });
    halfway.write(LEAD.slice(10));
    const finished = await readAnswer(halfway);
    expect(finished.status).toBe(200);
    expect(JSON.parse(finished.body)).toMatchObject({ name: 'Sara' });

    const { code, signal, err } = await service.ended;
    expect([code, signal, err]).toEqual([0, null, '']);
    expect(performance.now() - startedMs).toBeLessThan(BOUNDED_MS);
  });

  it('is not kept by a stream that its reader has left', async () => {
    const { url, sql } = await testDatabase();
    const { owner } = await testOrganization(sql);
    const service = await startProcess({ ...settings, DATABASE_URL: url });
    const reader = await openSocket(service.baseUrl);
    reader.write(
      `GET /api/v1/orders/changes/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${owner.token}\r\n\r\n`,
    );
    const [bytes] = await once(reader, 'data');
    expect(String(bytes)).toContain('200 OK');
    reader.destroy();
    const openStreams = async () =>
      (await call(service.baseUrl, 'GET /telemetry', { token: owner.token })).body.sections.feed.streams;
    await expect.poll(openStreams).toBe(0);
    const { code, signal } = await service.stop();
    expect([code, signal]).toEqual([0, null]);
  });

  it('does not wait for ever for a client that never finishes', async () => {
    const service = await startProcess(settings);
    const stuck = await openSocket(service.baseUrl);
    stuck.on('error', () => undefined);
    await beginLead(stuck);
    const startedMs = performance.now();
    const { code, signal } = await service.stop();
    expect([code, signal]).toEqual([0, null]);
    expect(performance.now() - startedMs).toBeLessThan(BOUNDED_MS);
    stuck.destroy();
  });

  it('ends in time though a client, the database and all that waits for it hang at once', async () => {
    const url = new URL(settings.DATABASE_URL ?? '');
    const proxy = await tcpProxy({ host: url.hostname, port: Number(url.port) });
    url.host = `127.0.0.1:${proxy.port}`;
    const service = await startProcess({ ...settings, DATABASE_URL: url.href, LOG_LEVEL: 'silent' });
    const stuck = await openSocket(service.baseUrl);
    stuck.on('error', () => undefined);
    await beginLead(stuck);
    proxy.freeze();
    const waiting = openSocket(service.baseUrl).then((socket) => socket.on('error', () => undefined).write(WHOLE_LEAD));
    await waiting;
    const startedMs = performance.now();
    const { code, signal } = await service.stop();
    expect([code, signal]).toEqual([0, null]);
    expect(performance.now() - startedMs).toBeLessThan(BOUNDED_MS);
    stuck.destroy();
  });

  it('also ends a process that only works in the background, which printed its health address', async () => {
    const worker = run(['serve'], { ...settings, DUKKAN_ROLES: 'worker', METRICS_PORT: '0', LOG_LEVEL: 'warn' });
    await said(worker, /^(Dukkan worker is running)$/m);
    const url = /^Metrics and health of this process: (http:\S+)$/m.exec(worker.out())?.[1];
    const health = await fetch(`${url}/health`);
    expect([health.status, await health.json()]).toEqual([
      200,
      expect.objectContaining({
        roles: ['worker'],
        status: 'healthy',
        followers: expect.arrayContaining([expect.objectContaining({ name: 'publisher', seconds_behind: 0 })]),
        jobs: expect.objectContaining({ active_workers: expect.any(Number) }),
      }),
    ]);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^dukkan_follower\{follower="publisher"/m);
    worker.child.kill('SIGTERM');
    const { code, signal } = await worker.ended;
    expect([code, signal]).toEqual([0, null]);
  });

  it('finds a worker at work whose usual port for health was taken, which it has said', async () => {
    const taken = createServer();
    // A worker of another test may have it, and would leave it in the middle of this one.
    const isOurs = () =>
      new Promise<boolean>((resolve) => {
        taken.once('error', () => resolve(false));
        taken.listen(9464, '127.0.0.1', () => resolve(true));
      });
    await expect.poll(isOurs).toBe(true);
    const worker = run(['serve'], { ...settings, DUKKAN_ROLES: 'worker', LOG_LEVEL: 'warn' });
    await said(worker, /^(Dukkan worker is running)$/m);
    worker.child.kill('SIGTERM');
    const { code, err, out } = await worker.ended;
    taken.close();
    expect(code).toBe(0);
    expect(out).not.toContain('Metrics and health');
    expect(err).toMatch(
      /Health and metrics of this worker are not served: .*9464\. Set METRICS_PORT to another port, or to off/,
    );
  });
});
