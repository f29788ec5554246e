import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSocket, readAnswer, TEST_SECRET, testDatabase } from '../harness/index.ts';
import { run, type ServiceProcess, startProcess } from './service-process.ts';

let folder: string;
let settings: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dukkan-drain-'));
  settings = { DATABASE_URL: (await testDatabase()).url, DUKKAN_SECRET: TEST_SECRET, DUKKAN_DATA_DIR: folder };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const LEAD = JSON.stringify({ name: 'Sara', email: 'sara@example.com' });
const HEAD = `POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${LEAD.length}\r\n\r\n`;
const PING = 'GET /api/v1/ping HTTP/1.1\r\nhost: x\r\n\r\n';

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
    halfway.write(HEAD + LEAD.slice(0, 10));
    // An open connection that has been used before and is now in the middle of its next request line.
    const kept = await openSocket(service.baseUrl);
    kept.write(PING);
    expect((await readAnswer(kept)).status).toBe(200);
    kept.write(PING.slice(0, 10));
    const idle = await openSocket(service.baseUrl);
    idle.write(PING);
    expect((await readAnswer(idle)).status).toBe(200);

    const startedMs = performance.now();
    service.child.kill('SIGTERM');
    await expect.poll(() => accepts(service), { timeout: 5_000 }).toBe(false);
    kept.write(PING.slice(10));
    const refused = await readAnswer(kept).catch((error: Error) => error.message);
    if (typeof refused !== 'string') {
      expect(refused.status).toBe(503);
      expect(JSON.parse(refused.body)).toEqual({
        code: 503,
        error: 'Service unavailable',
        details: 'The service is stopping',
      });
    }
    halfway.write(LEAD.slice(10));
    const finished = await readAnswer(halfway);
    expect(finished.status).toBe(200);
    expect(JSON.parse(finished.body)).toMatchObject({ name: 'Sara' });

    const { code, signal, err } = await service.ended;
    expect([code, signal, err]).toEqual([0, null, '']);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    idle.destroy();
  });

  it('does not wait for ever for a client that never finishes', async () => {
    const service = await startProcess(settings);
    const stuck = await openSocket(service.baseUrl);
    stuck.on('error', () => undefined);
    stuck.write(HEAD + LEAD.slice(0, 10));
    const startedMs = performance.now();
    const { code, signal } = await service.stop();
    expect([code, signal]).toEqual([0, null]);
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    stuck.destroy();
  });

  it('is heeded by a process that only works in the background', async () => {
    const worker = run(['serve'], { ...settings, DUKKAN_ROLES: 'worker', LOG_LEVEL: 'warn' });
    await expect.poll(() => worker.out(), { timeout: 30_000 }).toBe('Dukkan worker is running\n');
    worker.child.kill('SIGTERM');
    const { code, signal } = await worker.ended;
    expect([code, signal]).toEqual([0, null]);
  });
});
