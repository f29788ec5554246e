import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { call, exchange, testService } from '../../../test/harness/index.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'dukkan-console-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const PAGE = '<!doctype html><title>Dukkan</title>';
const SCRIPT = 'export const answer = 42;'.repeat(100);
await mkdir(path.join(folder, 'assets'));
await writeFile(path.join(folder, 'index.html'), PAGE);
await writeFile(path.join(folder, 'assets/index-a1b2.js'), SCRIPT);
await writeFile(path.join(folder, 'assets/index-a1b2.js.br'), brotliCompressSync(SCRIPT));
await writeFile(path.join(folder, 'assets/index-a1b2.js.gz'), gzipSync(SCRIPT));
await writeFile(path.join(folder, 'manifest.json'), '{}');
await writeFile(path.join(folder, 'built-from.txt'), 'x');
await writeFile(path.join(path.dirname(folder), `${path.basename(folder)}-secret.js`), 'the secret');
afterAll(() => rm(`${folder}-secret.js`, { force: true }));

const { baseUrl } = await testService({ DUKKAN_CONSOLE: folder });
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const page = (where: string, headers: Record<string, string> = html) => fetch(baseUrl + where, { headers });

describe('the console', () => {
  it.each(['/', '/orders', '/orders/0193a1f0-7c00-7000-8000-000000000002?tab=raw', '/invite', '/sign-in'])(
    'is served at %s to clients that accept HTML',
    async (where) => {
      const answer = await page(where);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(await answer.text()).toBe(PAGE);
    },
  );

  it('has a strict content security policy and is revalidated on each request', async () => {
    const { headers } = await page('/');
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "font-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]) {
      expect(policy.split('; ')).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-cache');
    const again = await page('/', { ...html, 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('serves hashed assets as immutable, compressed at build time', async () => {
    const part = await page('/assets/index-a1b2.js', { 'accept-encoding': 'gzip, br' });
    expect(part.headers.get('content-encoding')).toBe('br');
    expect(Number(part.headers.get('content-length'))).toBe(brotliCompressSync(SCRIPT).length);
    expect(part.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(part.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(part.headers.get('vary')).toBe('accept-encoding');
    expect(await part.text()).toBe(SCRIPT);
    const plain = await page('/assets/index-a1b2.js', { 'accept-encoding': 'identity' });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, SCRIPT]);
  });

  it('answers HEAD like GET without a body', async () => {
    const head = await fetch(`${baseUrl}/orders`, { method: 'HEAD', headers: html });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await head.text()).toBe('');
  });

  it.each(['/assets/gone.js', '/api/v1/nothing', '/api/nothing', '/api', '/docs/nothing', '/metrics'])(
    'is not at %s, whatever is asked for',
    async (where) => {
      const answer = await page(where);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 404, error: 'Not found' });
    },
  );

  it.each(['manifest.json', 'built-from.txt', 'index.html.br', 'assets/index-a1b2.js.br'])(
    'does not give out %s',
    async (name) => expect((await page(`/${name}`, { accept: '*/*' })).status).toBe(404),
  );

  it('serves no file outside its folder', async () => {
    const secret = `${path.basename(folder)}-secret.js`;
    for (const way of [
      `/../${secret}`,
      `/assets/../../${secret}`,
      `/..%2f${secret}`,
      `/assets/%2e%2e/%2e%2e/${secret}`,
    ]) {
      const answer = await exchange(baseUrl, `GET ${way} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
      expect([way, answer.status >= 400 && answer.status < 500]).toEqual([way, true]);
      expect(answer.body).not.toBe('the secret');
    }
  });

  it('does not change responses to API clients: the hint for a missing prefix, 405 for known paths', async () => {
    const lost = await call(baseUrl, 'GET //orders');
    expect(lost.body).toMatchObject({ code: 404, details: { hint: expect.stringContaining('/api/v1/orders') } });
    const root = await call(baseUrl, 'GET //');
    expect([root.status, root.body.details.hint]).toEqual([404, 'Every path of the API starts with /api/v1']);
    const wrongMethod = await call(baseUrl, 'DELETE /ping', { headers: html });
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([404, 'GET, HEAD']);
    expect((await fetch(`${baseUrl}/orders`, { method: 'POST', headers: html })).status).toBe(404);
    const reference = await page('/docs');
    expect(reference.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await reference.text()).toContain('href="/">Open the console</a>');
  });
});

it('is not served without a build, and other routes stay the same', async () => {
  const bare = await testService({ DUKKAN_CONSOLE: path.join(folder, 'nothing') });
  expect((await fetch(`${bare.baseUrl}/`, { headers: html })).status).toBe(404);
  expect((await fetch(`${bare.baseUrl}/api/v1/ping`)).status).toBe(200);
  expect(await (await fetch(`${bare.baseUrl}/docs`)).text()).not.toContain('href="/"');
});
