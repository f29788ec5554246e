import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseNetworks } from './address-policy.ts';
import { createHostResolver } from './resolve-host.ts';
import { type AnswerQuestion, type DnsServer, startDnsServer } from './testing/dns-server.ts';
import { createLoopback, HOST, INTERNAL_ADDRESS, messageTo } from './testing/loopback.ts';
import { startReceiver } from './testing/receiver.ts';

const closing: (() => Promise<unknown>)[] = [];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hosts-'));
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
});

async function startDns(answer: AnswerQuestion): Promise<DnsServer> {
  const server = await startDnsServer(answer);
  closing.push(server.close);
  return server;
}

async function resolverAt(dns: DnsServer, { hosts = '', timeoutMs = 30_000 } = {}) {
  const hostsFile = path.join(folder, 'hosts');
  await writeFile(hostsFile, hosts);
  return createHostResolver({ servers: [dns.address], hostsFile, timeoutMs, tries: 1 });
}

describe('createHostResolver', () => {
  it('asks for both families and hands back all answers', async () => {
    const dns = await startDns(({ type }) => (type === 'A' ? ['192.0.2.1', '192.0.2.2'] : ['2001:db8::1']));
    const resolve = await resolverAt(dns);
    expect((await resolve('a.test')).sort()).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(dns.questions.map(({ type }) => type).sort()).toEqual(['A', 'AAAA']);
  });

  it('is content with one family', async () => {
    const resolve = await resolverAt(await startDns(({ type }) => (type === 'A' ? [] : ['2001:db8::1'])));
    expect(await resolve('a.test')).toEqual(['2001:db8::1']);
  });

  it('rejects with the code of what went wrong', async () => {
    const missing = await resolverAt(await startDns(() => 'no such name'));
    await expect(missing('a.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    const empty = await resolverAt(await startDns(() => []));
    await expect(empty('a.test')).rejects.toMatchObject({ code: 'ENODATA' });
    const silent = await resolverAt(await startDns(() => undefined), { timeoutMs: 200 });
    await expect(silent('a.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });

  it('asks again every time, however long an answer claims to live', async () => {
    let count = 0;
    const dns = await startDns(({ type }) => {
      if (type === 'AAAA') return [];
      count += 1;
      return [`192.0.2.${count}`];
    });
    const resolve = await resolverAt(dns);
    expect(await resolve('a.test')).toEqual(['192.0.2.1']);
    expect(await resolve('a.test')).toEqual(['192.0.2.2']);
  });

  it('shares one question among calls that overlap', async () => {
    const dns = await startDns(({ type }) => (type === 'A' ? ['192.0.2.1'] : []));
    const resolve = await resolverAt(dns);
    const answers = await Promise.all(Array.from({ length: 10 }, () => resolve('a.test')));
    expect(answers).toEqual(Array.from({ length: 10 }, () => ['192.0.2.1']));
    expect(dns.questions).toHaveLength(2);
  });

  it('honours the hosts file first', async () => {
    const dns = await startDns(({ type }) => (type === 'A' ? ['192.0.2.9'] : []));
    const resolve = await resolverAt(dns, {
      hosts: '# comment\n10.0.0.1\tA.test b.test # more\n::1 a.test\nnonsense a.test\n',
    });
    expect(await resolve('a.test')).toEqual(['10.0.0.1', '::1']);
    expect(await resolve('b.test')).toEqual(['10.0.0.1']);
    expect(dns.questions).toEqual([]);
    expect(await resolve('c.test')).toContain('192.0.2.9');
  });

  it('does without a hosts file', async () => {
    const dns = await startDns(({ type }) => (type === 'A' ? ['192.0.2.1'] : []));
    const resolve = createHostResolver({ servers: [dns.address], hostsFile: path.join(folder, 'absent') });
    expect(await resolve('a.test')).toEqual(['192.0.2.1']);
  });
});

describe('a name that changes its answer', () => {
  async function startBoth() {
    const loopback = await createLoopback();
    closing.push(loopback.closeAll);
    const receiver = loopback.keep(await startReceiver(loopback.certificate));
    const second = loopback.keep(
      await startReceiver(loopback.certificate, undefined, { address: '127.0.0.3', port: receiver.port }),
    );
    const internal = loopback.keep(
      await startReceiver(loopback.certificate, undefined, { address: INTERNAL_ADDRESS, port: receiver.port }),
    );
    return { loopback, receiver, second, internal };
  }

  it('between check and connect is held to the checked address', async () => {
    const { loopback, receiver, internal } = await startBoth();
    let asked = 0;
    const dns = await startDns(({ type }) => {
      if (type === 'AAAA') return [];
      asked += 1;
      return asked === 1 ? ['127.0.0.1'] : [INTERNAL_ADDRESS];
    });
    const sender = loopback.openSender({ resolve: await resolverAt(dns) });

    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: true });
    expect(dns.questions).toEqual([
      { name: HOST, type: expect.any(String) },
      { name: HOST, type: expect.any(String) },
    ]);
    expect([receiver.requests.length, internal.connections()]).toEqual([1, 0]);

    // The connection to the good address is still open here, and must not carry what is now meant for another.
    expect(sender.stats().connections).toBe(1);
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: false, error: 'address not allowed' });
    expect([receiver.requests.length, internal.connections()]).toEqual([1, 0]);
  });

  it('to a mix of good and internal is refused whole', async () => {
    const { loopback, receiver, internal } = await startBoth();
    const dns = await startDns(({ type }) => (type === 'A' ? ['127.0.0.1', INTERNAL_ADDRESS] : []));
    const sender = loopback.openSender({ resolve: await resolverAt(dns) });
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: false, error: 'address not allowed' });
    expect([receiver.connections(), internal.connections()]).toEqual([0, 0]);
  });

  it('to an internal IPv6 address behind a good IPv4 one is refused whole', async () => {
    const { loopback, receiver } = await startBoth();
    const dns = await startDns(({ type }) => (type === 'A' ? ['127.0.0.1'] : ['::1']));
    const sender = loopback.openSender({ resolve: await resolverAt(dns) });
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: false, error: 'address not allowed' });
    expect(receiver.connections()).toBe(0);
  });

  it('to another good address is followed, past the connection that is still open', async () => {
    const { loopback, receiver, second } = await startBoth();
    let address = '127.0.0.1';
    const dns = await startDns(({ type }) => (type === 'A' ? [address] : []));
    const sender = loopback.openSender({
      allowedNetworks: parseNetworks('127.0.0.1,127.0.0.3'),
      resolve: await resolverAt(dns),
    });
    await sender.post(messageTo(receiver.port));
    address = '127.0.0.3';
    expect(await sender.post(messageTo(receiver.port))).toMatchObject({ ok: true });
    expect([receiver.requests.length, second.requests.length]).toEqual([1, 1]);
  });

  it('to nothing is reported as such', async () => {
    const { loopback, receiver } = await startBoth();
    const gone = await resolverAt(await startDns(() => 'no such name'));
    expect(await loopback.openSender({ resolve: gone }).post(messageTo(receiver.port))).toMatchObject({
      ok: false,
      error: 'dns: not found',
    });
    const silent = await resolverAt(await startDns(() => undefined), { timeoutMs: 200 });
    expect(await loopback.openSender({ resolve: silent }).post(messageTo(receiver.port))).toMatchObject({
      ok: false,
      error: 'dns: timeout',
    });
  });
});
