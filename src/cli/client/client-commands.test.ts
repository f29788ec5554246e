import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../sdk/src/index.ts';
import { testAccount, testShop } from '../../../test/harness/index.ts';
import { programFile } from '../../../test/start/program.ts';
import { type Run, run } from '../../../test/start/service-process.ts';
import { runLine } from '../testing/run-line.ts';
import { colour, layOut } from './tail.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { service, shop, ask } = await testShop();
const viewer = await testAccount(service.sql, shop.id, 'viewer');
const settings = { DUKKAN_URL: service.baseUrl, DUKKAN_TOKEN: shop.owner.token };
const server = ['--url', service.baseUrl, '--token', shop.owner.token];

let orders = 0;
async function placeOrder(key?: string): Promise<string> {
  orders += 1;
  const body = {
    source_transaction_id: key ?? `cli-${orders}`,
    order_status: 'RECEIVED',
    fulfillment_status: 'None',
    total_amount: 57.5,
    skus: ['P-1_B-1'],
    products: [{ product_id: 'P-1', sku_id: 'P-1_B-1' }],
  };
  const reply = await ask('POST /orders', { body });
  expect(reply.status).toBe(201);
  return reply.body.data.id;
}

const linesOf = ({ out }: Run) => out().split('\n').filter(Boolean);
const shown = async (started: Run, pattern: RegExp) => {
  let text = '';
  started.child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  await expect.poll(() => text).toMatch(pattern);
  return text;
};
async function interrupt({ child, ended }: Run) {
  child.kill('SIGINT');
  return await ended;
}

beforeAll(async () => {
  for (const iv_id of ['B-1', 'B-2']) await ask('POST /branches', { body: { iv_id, name_en: `Branch ${iv_id}` } });
  await ask('POST /products', { body: { iv_id: 'P-1', name_en: 'Milk', name_ar: 'حليب', average_price: 7.25 } });
  await ask('PATCH /organization', { body: { vat_number: '300000000000003' } });
});

describe('what cannot be carried out as it was typed', () => {
  it.each([
    ['listen', '--forward is required'],
    ['listen --forward here', '--forward is an address such as http://127.0.0.1:8080, not here'],
    [
      'listen --forward http://a --events order.craeted',
      'There is no event order.craeted; did you mean order.created?',
    ],
    ['listen --forward http://a --secret abc', '--secret is whsec_ followed by base64 text'],
    ['listen --forward http://a', 'A token is required: DUKKAN_TOKEN, or --token'],
    ['tail --url ftp://a', '--url is an address such as http://127.0.0.1:8080, not ftp://a'],
    ['tail --last 1000', '--last is a number up to 100'],
    ['tail --always', 'Unknown option for tail: --always'],
    ['trigger order.made', 'There is no event order.made'],
    ['trigger --delete', '--delete goes with an event'],
    ['mcp', 'A token is required'],
  ])('%s', async (line, message) => {
    await expect(runLine(undefined, ...line.split(' '))).rejects.toThrow(message);
  });

  it.each(['listen', 'tail', 'trigger', 'mcp'])('%s --help needs nothing', async (name) => {
    expect((await runLine(undefined, name, '--help')).out).toContain(`dukkan ${name}: `);
  });
});

describe('dukkan trigger', () => {
  it('lists the events there are', async () => {
    const { out } = await runLine(undefined, 'trigger', '--json');
    expect(JSON.parse(out).events.map(({ event }: { event: string }) => event)).toEqual([...EVENT_TYPES]);
  });

  it.each([...EVENT_TYPES])('makes %s happen', async (type) => {
    const { code, out } = await runLine(undefined, 'trigger', type, '--json', ...server);
    const answer = JSON.parse(out);
    expect([code, answer.event.type, answer.event.order_id]).toEqual([0, type, answer.order_id]);
    const there = await ask(`GET /orders/${answer.order_id}`);
    expect(there.status).toBe(type === 'order.deleted' ? 404 : 200);
  });

  it('says what it did, and can clean up', async () => {
    const { out } = await runLine(undefined, 'trigger', 'order.cancelled', '--delete', ...server);
    expect(out).toMatch(
      /^placed test order \S+ \S+ \(createOrder\)\ncancelled it \(advanceOrder\)\ndeleted it \(deleteOrders\)\norder.cancelled evt_/,
    );
  });

  it('says so when the account may not', async () => {
    const line = ['trigger', 'order.created', '--url', service.baseUrl, '--token', viewer.token];
    await expect(runLine(undefined, ...line)).rejects.toMatchObject({ status: 403, reason: 'missing-grant' });
    const { code, err } = await run(line, {}).ended;
    expect([code, err]).toEqual([1, 'dukkan: Forbidden: grant create on Orders is required\n']);
  });
});

describe('dukkan listen', () => {
  const secret = `whsec_${Buffer.from('a key of twenty-four b..').toString('base64')}`;
  const received: { headers: Record<string, string>; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers as Record<string, string>, body });
    const { order_id } = JSON.parse(body).order.external;
    const isFirst = received.filter((one) => JSON.parse(one.body).order.external.order_id === order_id).length === 1;
    response.writeHead(order_id === 'fails-once' && isFirst ? 500 : 204).end();
  });
  let url: string;
  beforeAll(async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  });
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  it('passes events on as real deliveries are made, tries again, and goes on where it was left', async () => {
    const args = ['listen', '--forward', url, '--secret', secret, '--json'];
    const listening = run([...args, '--events', 'order.created'], settings);
    await shown(listening, /Listening at/);
    // It may not be connected yet: what is placed until then is of the time before.
    await expect
      .poll(async () => {
        await placeOrder();
        return received.length;
      })
      .toBeGreaterThan(0);
    const id = await placeOrder('fails-once');
    await ask(`PATCH /orders/${id}/status`, { body: { order_status: 'CANCELLED' } });
    await expect.poll(() => received.filter(({ body }) => JSON.parse(body).order_id === id).length).toBe(2);
    await expect.poll(() => linesOf(listening).some((line) => JSON.parse(line).order_id === id)).toBe(true);
    const { code, out, err } = await interrupt(listening);
    expect([code, err]).toEqual([0, `Listening at ${service.baseUrl}, passing on to ${url}\n`]);

    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.every(({ type }) => type === 'order.created')).toBe(true);
    const last = lines.find((line) => line.order_id === id);
    expect(last).toMatchObject({ status: 204, attempts: 2, error: '', duration_ms: expect.any(Number) });
    const delivery = received.at(-1);
    const feed = await ask('GET /orders/changes?limit=500');
    const body = feed.text.slice(feed.text.indexOf(`{"spec_version"`, 1), feed.text.lastIndexOf('],"next_cursor"'));
    expect(body).toContain(delivery?.body);
    expect(new Webhook(secret).verify(delivery?.body ?? '', delivery?.headers ?? {})).toMatchObject({ order_id: id });
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'dukkan-webhooks',
      'webhook-id': last.id,
      'x-svc-event-type': 'order.created',
      'x-svc-organization-id': shop.id,
    });

    received.length = 0;
    const again = run([...args, '--since', last.cursor], settings);
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]?.headers['x-svc-event-type']).toBe('order.cancelled');
    expect((await interrupt(again)).code).toBe(0);
  });

  it('says what a receiver that is not there is, and a token that is none', async () => {
    const closedServer = createServer().listen(0, '127.0.0.1');
    await once(closedServer, 'listening');
    const { port } = closedServer.address() as AddressInfo;
    await new Promise((resolve) => closedServer.close(resolve));
    const listening = run(['listen', '--forward', `http://127.0.0.1:${port}`, '--since', 'oldest'], settings);
    await expect.poll(() => listening.out()).toMatch(/order\.\w+ .*ECONNREFUSED.* in \d+ ms, 3 attempts, \d+ ms after/);
    const { code, err } = await interrupt(listening);
    expect(code).toBe(0);
    expect(err).toMatch(/Signed with whsec_\S{40}\n/);
    const refused = await run(['listen', '--forward', url], { ...settings, DUKKAN_TOKEN: 'unknown' }).ended;
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('dukkan: Valid API key required')]);
  });
});

describe('dukkan tail', () => {
  it('shows orders as they come, after the latest', async () => {
    const id = await placeOrder();
    const tailing = run(['tail', '--last', '2'], settings);
    await shown(tailing, /Following http/);
    expect(linesOf(tailing)).toHaveLength(2);
    await ask(`PATCH /orders/${id}/status`, { body: { order_status: 'DISPATCHED' } });
    await expect.poll(() => linesOf(tailing).length).toBe(3);
    const { code, out } = await interrupt(tailing);
    expect(code).toBe(0);
    expect(out.trim().split('\n').at(-1)).toMatch(
      /^\d\d:\d\d:\d\d {2}status_changed {2}\S+ +dispatched +api +57\.50 SAR {2}- {2}was received$/,
    );
  });

  it('is in colour on a terminal, and escapes control characters in payload text', async () => {
    const { orders } = (await ask('GET /orders?format=canonical&limit=1')).body;
    const line = (code: string) => ({
      at: '2026-11-16T08:00:00Z',
      event: 'created',
      was: '',
      order: { ...orders[0], external: { ...orders[0].external, code }, status: 'cancelled' },
    });
    expect(layOut(line('A-1'), colour)).toContain('\u001b[31mcancelled');
    expect(layOut(line('\u001b[31m'), (text) => text)).not.toContain('\u001b');
  });
});

describe('dukkan mcp', () => {
  async function connectTo(token: string, ...args: string[]) {
    const client = new Client({ name: 'tests', version: '1' });
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [programFile(), 'mcp', ...args],
      cwd: ROOT,
      env: { PATH, NODE_COMPILE_CACHE, DUKKAN_URL: service.baseUrl, DUKKAN_TOKEN: token },
      stderr: 'ignore',
    });
    await client.connect(transport);
    const call = async (name: string, given: Record<string, unknown> = {}) => {
      const { isError = false, content } = await client.callTool({ name, arguments: given });
      const [{ text }] = content as [{ text: string }];
      return { isError, text, value: text.startsWith('{') && !text.includes('[cut:') ? JSON.parse(text) : undefined };
    };
    return { client, call };
  }

  it('offers every read as a tool, and the writes that are allowed', async () => {
    const { client, call } = await connectTo(shop.owner.token, '--allow', 'createBrand,deleteBrand');
    const { tools } = await client.listTools();
    const { paths } = (await ask('GET /openapi.json')).body;
    const reads = Object.values(paths as Record<string, { get?: { operationId: string } }>)
      .flatMap(({ get }) => get?.operationId ?? [])
      // Pictures, documents and what never ends are nothing to read as text.
      .filter((id) => !/^(getFile|getServiceAsset|getCommissionProof|streamOrderChanges)$|Pdf$/.test(id));
    expect(tools.map(({ name }) => name).toSorted()).toEqual([...reads, 'createBrand', 'deleteBrand'].toSorted());
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get('listProducts')).toMatchObject({
      description: expect.stringContaining(''),
      inputSchema: { type: 'object', properties: { search: { type: 'string' }, limit: { type: 'integer' } } },
      annotations: { readOnlyHint: true },
    });
    expect(byName.get('createBrand')).toMatchObject({ annotations: { readOnlyHint: false } });
    expect(JSON.stringify(tools)).not.toContain('#/components');

    expect((await call('listProducts', { search: 'milk', limit: 1 })).value).toMatchObject({ total_count: 1 });
    const brand = await call('createBrand', { body: { name_en: 'Almarai', name_ar: 'المراعي' } });
    expect(brand).toMatchObject({ isError: false, value: { success: true } });
    expect(await call('deleteBrand', { id: brand.value.data.id })).toMatchObject({ isError: false, text: 'null' });
    expect(await call('getBranch', { ivId: 'NOWHERE' })).toMatchObject({
      isError: true,
      value: { status: 404, reason: 'branch-not-found', details: { iv_id: 'NOWHERE' } },
    });
    expect(await call('createProduct', { body: {} })).toMatchObject({ isError: true });
    expect(await call('listProducts', { serach: 'milk' })).toMatchObject({ isError: true, value: { status: 0 } });
    expect(await call('getBranch')).toMatchObject({ isError: true, value: { error: 'getBranch needs ivId' } });
    expect(await call('getBranch', { ivId: '..' })).toMatchObject({ isError: true });

    const bulk = Array.from({ length: 90 }, (_, n) => ({
      iv_id: `M-${n}`,
      name_en: 'x'.repeat(250),
      name_ar: 'س'.repeat(250),
    }));
    await ask('POST /products/bulk', { body: { mode: 'create', products: bulk } });
    const { text } = await call('listSkus', { limit: 100 });
    expect(text.length).toBeLessThan(100_200);
    await client.close();
  });

  it('does what the token may do, and no more', async () => {
    const { client, call } = await connectTo(viewer.token, '--allow', 'createBrand');
    const refused = await call('createBrand', { body: { name_en: 'Nadec', name_ar: 'نادك' } });
    expect(refused).toMatchObject({ isError: true, value: { status: 403, reason: 'missing-grant' } });
    expect(await call('listBrands')).toMatchObject({ isError: false });
    await client.close();
  });

  it('refuses a write that there is not, before it offers anything', async () => {
    const { code, err } = await run(['mcp', '--allow', 'createBrnad'], settings).ended;
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('there is no operation createBrnad; did you mean createBrand?'),
    ]);
  });
});
