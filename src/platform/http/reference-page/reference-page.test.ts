import { describe, expect, it } from 'vitest';
import { call, testService } from '../../../../test/harness/index.ts';

const { baseUrl } = await testService();

describe('the reference page', () => {
  it('works without the internet: all it loads comes from here', async () => {
    const page = await call(baseUrl, 'GET //docs/');
    expect(page.status).toBe(200);
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => String(link));
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      const url = new URL(link, `${baseUrl}/docs/`);
      expect(url.origin).toBe(baseUrl);
      expect((await fetch(url)).status, link).toBe(200);
    }
    const written = await Promise.all(links.filter((link) => /start\.js|\.css|\.svg/.test(link)).map(read));
    const fonts = [...written.join('').matchAll(/url\("([^"]+)"\)/g)].map(([, link]) => String(link));
    expect(fonts).toHaveLength(2);
    for (const link of fonts) {
      const font = await fetch(new URL(link, baseUrl));
      expect([font.status, font.headers.get('content-type')], link).toEqual([200, 'font/woff2']);
    }
    expect(written.join('').replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\//);
    expect(await read(links.find((link) => link.endsWith('start.js')) ?? '')).toMatch(/telemetry: false/);
  });

  it('is held to that by its policy, and is not sent to https where there is none', async () => {
    const policy = (await call(baseUrl, 'GET //docs/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|upgrade-insecure-requests/);
  });

  it('carries our name, and is kept by browsers: its parts for ever, itself until it changes', async () => {
    const page = await call(baseUrl, 'GET //docs');
    expect(page.text).toContain('<title>Dukkan API reference</title>');
    const again = await call(baseUrl, 'GET //docs', { headers: { 'if-none-match': page.headers.get('etag') ?? '' } });
    expect([again.status, again.text]).toEqual([304, '']);
    const part = /href="(\/docs\/assets\/[^"]+page\.css)"/.exec(page.text)?.[1] ?? '';
    expect((await fetch(baseUrl + part)).headers.get('cache-control')).toContain('immutable');
    expect((await fetch(baseUrl + part.replace(/assets\/[^/]+/, 'assets/older'))).status).toBe(404);
    expect((await fetch(baseUrl + part.replace('page.css', 'constructor'))).status).toBe(404);
  });

  it('is sent compressed to clients that accept it, and so is the description', async () => {
    const send = (encoding: string) =>
      fetch(`${baseUrl}/api/v1/openapi.json`, { headers: { 'accept-encoding': encoding } });
    const packed = await send('gzip, br');
    const plain = await send('br;q=0');
    expect([packed, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', null]);
    expect(Number(packed.headers.get('content-length')) * 5).toBeLessThan(Number(plain.headers.get('content-length')));
    expect(await packed.text()).toBe(await plain.text());
  });

  async function read(link: string): Promise<string> {
    return (await fetch(new URL(link, baseUrl))).text();
  }
});
