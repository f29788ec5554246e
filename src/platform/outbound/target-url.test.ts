import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../test/harness/any-text.ts';
import { parseNetworks } from './address-policy.ts';
import { checkRegistration, checkTargetUrl, resolveTarget } from './target-url.ts';
import { HOSTILE_ADDRESSES, HOSTILE_URLS } from './testing/hostile-targets.ts';

const nothingOpen = parseNetworks('');
const loopbackOpen = parseNetworks('127.0.0.0/8,::1');

describe('checkTargetUrl', () => {
  it('is tried with at least 80 hostile URLs', () => {
    expect(new Set(HOSTILE_URLS.map(([, url]) => url)).size).toBeGreaterThanOrEqual(80);
  });

  it.each(HOSTILE_URLS)('refuses %s', (_trick, url) => {
    expect(checkTargetUrl(url, nothingOpen)).toEqual({ ok: false, reason: expect.stringMatching(/^must /) });
  });

  it.each([
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['https://hooks.example.com:8443/a/b?c=d&e=%20', 'https://hooks.example.com:8443/a/b?c=d&e=%20'],
    ['HTTPS://Hooks.Example.COM/Path', 'https://hooks.example.com/Path'],
    ['https://hooks.example.com:443/', 'https://hooks.example.com/'],
    ['https://hooks.example.com:1/', 'https://hooks.example.com:1/'],
    ['https://hooks.example.com:65535/', 'https://hooks.example.com:65535/'],
    ['https://hooks.example.com/#part', 'https://hooks.example.com/'],
    ['https://hooks.example.com?x=1', 'https://hooks.example.com/?x=1'],
    ['https://hooks.example.com/user@host:80/', 'https://hooks.example.com/user@host:80/'],
    ['https://hooks.example.com//two//slashes', 'https://hooks.example.com//two//slashes'],
    ['https://my_hook.example.com/', 'https://my_hook.example.com/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://mylocalhost.com/', 'https://mylocalhost.com/'],
    ['https://receiver.test/', 'https://receiver.test/'],
    ['https://receiver.example/', 'https://receiver.example/'],
    ['https://receiver.invalid/', 'https://receiver.invalid/'],
    ['https://متجر.السعودية/hook', 'https://xn--pgbep1f.xn--mgberp4a5d4ar/hook'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://hooks.example.com/متجر', 'https://hooks.example.com/%D9%85%D8%AA%D8%AC%D8%B1'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:0:0::1111]:8443/', 'https://[2606:4700::1111]:8443/'],
  ])('judges %s', (url, normalised) => {
    const checked = checkTargetUrl(url, nothingOpen);
    expect(checked.ok ? checked.url.href : undefined).toBe(normalised);
  });

  it('takes an address of an open network when it is plainly written, and still no internal name', () => {
    expect(checkTargetUrl('https://127.0.0.1:8443/', loopbackOpen).ok).toBe(true);
    expect(checkTargetUrl('https://[::1]:8443/', loopbackOpen).ok).toBe(true);
    for (const host of [
      '2130706433',
      '127.1',
      '0x7f.1',
      '１２７.0.0.1',
      '[::ffff:127.0.0.1]',
      'localhost',
      '10.0.0.1',
    ]) {
      expect(checkTargetUrl(`https://${host}/`, loopbackOpen).ok).toBe(false);
    }
  });

  it('refuses a private IPv4 address in every base and length', () => {
    const privateIpv4 = fc
      .tuple(fc.constantFrom([10, 0], [127, 0], [169, 254], [172, 16], [192, 168]), fc.nat(255), fc.nat(255))
      .map(([head, third, fourth]) => [...head, third, fourth]);
    const bases = fc.constantFrom<(part: number) => string>(
      (part) => String(part),
      (part) => `0x${part.toString(16)}`,
      (part) => `0X${part.toString(16).padStart(6, '0')}`,
      (part) => `0${part.toString(8)}`,
    );
    fc.assert(
      fc.property(
        privateIpv4,
        fc.integer({ min: 1, max: 4 }),
        fc.array(bases, { minLength: 4, maxLength: 4 }),
        (ip, parts, spell) => {
          const tail = ip.slice(parts - 1).reduce((sum, octet) => sum * 256 + octet, 0);
          const host = [...ip.slice(0, parts - 1), tail].map((part, index) => spell[index]?.(part)).join('.');
          expect(checkTargetUrl(`https://${host}/`, nothingOpen).ok).toBe(false);
        },
      ),
    );
  });

  it('never throws, and what it takes is https without credentials and stays the same when checked again', () => {
    const hosts = fc.oneof(
      fc.webAuthority({ withUserInfo: true, withPort: true, withIPv4Extended: true, withIPv6: true }),
      anyText(),
    );
    const inputs = fc.oneof(
      anyText(),
      fc
        .tuple(fc.constantFrom('https://', 'https:', 'http://', 'HTTPS://'), hosts, fc.string())
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(inputs, (input) => {
        const checked = checkTargetUrl(input, nothingOpen);
        if (!checked.ok) return;
        expect(checked.url.protocol).toBe('https:');
        expect(checked.url.username + checked.url.password + checked.url.hash).toBe('');
        expect(checkTargetUrl(checked.url.href, nothingOpen)).toEqual(checked);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('resolveTarget', () => {
  const never = () => Promise.reject(new Error('the resolver must not be asked'));

  it('hands back every address, each once', async () => {
    const answer = await resolveTarget('hooks.example.com', nothingOpen, async () => [
      '8.8.8.8',
      '2606:4700::1',
      '8.8.8.8',
    ]);
    expect(answer).toEqual({ ok: true, addresses: ['8.8.8.8', '2606:4700::1'] });
  });

  it.each(HOSTILE_ADDRESSES)('refuses a name that answers with %s beside public addresses', async (_what, ip) => {
    const answer = await resolveTarget('hooks.example.com', nothingOpen, async () => ['8.8.8.8', ip, '1.1.1.1']);
    expect(answer).toEqual({ ok: false, error: 'address not allowed' });
  });

  it('takes addresses as they stand, without a question', async () => {
    expect(await resolveTarget('8.8.8.8', nothingOpen, never)).toEqual({ ok: true, addresses: ['8.8.8.8'] });
    expect(await resolveTarget('[::1]', loopbackOpen, never)).toEqual({ ok: true, addresses: ['::1'] });
    expect(await resolveTarget('[::1]', nothingOpen, never)).toEqual({ ok: false, error: 'address not allowed' });
  });

  it.each([
    ['ENOTFOUND', 'dns: not found'],
    ['ENODATA', 'dns: not found'],
    ['ETIMEOUT', 'dns: timeout'],
    ['ESERVFAIL', 'dns: server failure'],
    ['ESOMETHING', 'dns: lookup failed'],
  ])('says %s as "%s"', async (code, error) => {
    const resolve = () => Promise.reject(Object.assign(new Error(code), { code }));
    expect(await resolveTarget('hooks.example.com', nothingOpen, resolve)).toEqual({ ok: false, error });
  });

  it('says so when there is no address at all', async () => {
    expect(await resolveTarget('hooks.example.com', nothingOpen, async () => [])).toEqual({
      ok: false,
      error: 'dns: not found',
    });
  });
});

describe('checkRegistration', () => {
  const url = 'https://hooks.example.com/in';

  it('takes a name with public answers only', async () => {
    expect(await checkRegistration(url, nothingOpen, async () => ['8.8.8.8'])).toMatchObject({ ok: true });
  });

  it('refuses a name with one private answer', async () => {
    expect(await checkRegistration(url, nothingOpen, async () => ['8.8.8.8', '10.0.0.1'])).toEqual({
      ok: false,
      reason: 'must not resolve to a private, loopback or reserved address',
    });
  });

  it('takes a private answer inside an open network', async () => {
    expect(await checkRegistration(url, loopbackOpen, async () => ['127.0.0.1'])).toMatchObject({ ok: true });
  });

  it('takes a name that does not exist yet', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect(await checkRegistration(url, nothingOpen, resolve)).toMatchObject({ ok: true });
  });

  it('takes a name whose lookup does not end in time', async () => {
    const silent = () => new Promise<string[]>(() => {});
    expect(await checkRegistration(url, nothingOpen, silent, 20)).toMatchObject({ ok: true });
  });

  it('does not look up what its text already condemns', async () => {
    const resolve = () => Promise.reject(new Error('the resolver must not be asked'));
    expect(await checkRegistration('https://localhost/', nothingOpen, resolve)).toMatchObject({ ok: false });
  });
});
