import { expect, test } from 'vitest';
import { testOrganization, testService } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { vendorOf } from './testing/vendor.ts';

const clock = movableClock(new Date('2026-11-15T10:00:00Z'));
const settings = { INGEST_RATE_PER_MINUTE: '10', INGEST_QUOTA_MB_PER_DAY: '3', DUKKAN_ROLES: 'api' };
const service = await testService(settings, { clock });
const { sql } = service;
const shop = await testOrganization(sql);
const { install, send } = vendorOf(service, shop);
let number = 0;
const payload = (bytes = 100) => {
  number += 1;
  return `${number} ${'x'.repeat(bytes)}`;
};

test('answers 429 with Retry-After when an install sends more calls than its rate, and takes the next after that time', async () => {
  const [busy, quiet] = [await install(), await install()];
  for (let sent = 0; sent < 10; sent += 1) expect((await send({ installId: busy, body: payload() })).status).toBe(202);
  const refused = await send({ installId: busy, body: payload() });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('6');
  expect(refused.headers.get('x-error-reason')).toBe('rate-limited');
  expect((await send({ installId: quiet, body: payload() })).status).toBe(202);
  clock.advanceMs(6_000);
  expect((await send({ installId: busy, body: payload() })).status).toBe(202);
  expect(await sql`select from staged_payloads where organization_app_id = ${busy}`).toHaveLength(11);
});

test('counts no call that is not verified', async () => {
  const installId = await install();
  for (let sent = 0; sent < 20; sent += 1)
    expect((await send({ installId, body: payload(), secret: 'another' })).status).toBe(401);
  expect((await send({ installId, body: payload() })).status).toBe(202);
});

test('answers 429 when an install is over its storage of the day, also in another process, until the next day', async () => {
  const [large, quiet] = [await install(), await install()];
  const megabyte = 1024 * 1024;
  for (let sent = 0; sent < 2; sent += 1)
    expect((await send({ installId: large, body: payload(megabyte) })).status).toBe(202);
  const refused = await send({ installId: large, body: payload(megabyte) });
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ error: 'Storage quota reached', details: { quota_megabytes_a_day: 3 } });
  expect(refused.headers.get('x-error-reason')).toBe('storage-quota-reached');
  expect((await send({ installId: quiet, body: payload() })).status).toBe(202);

  const stored = async () =>
    (await sql<{ bytes: number }[]>`select bytes from ingest_usage where organization_app_id = ${large}`)[0]?.bytes;
  await expect.poll(stored).toBeGreaterThan(2 * megabyte);
  const other = await testService(settings, { clock, database: { url: service.databaseUrl, sql } });
  // The first of another process is taken, since it has not asked yet; what it learns with it counts from then on.
  expect((await send({ installId: large, body: payload(), baseUrl: other.baseUrl })).status).toBe(202);
  const next = async () => (await send({ installId: large, body: payload(megabyte), baseUrl: other.baseUrl })).status;
  clock.advanceMs(60_000);
  await expect.poll(next, { interval: 1_500 }).toBe(429);

  clock.advanceMs(14 * 3_600_000);
  expect((await send({ installId: large, body: payload(megabyte) })).status).toBe(202);
});
