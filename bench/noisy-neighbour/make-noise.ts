import net from 'node:net';
import { Agent, request } from 'undici';
import { newOrderBody } from '../orders/fill.ts';
import { MANY_STREAMS, readManyStreams } from './many-streams.ts';
import type { Noise, NoiseOrder, NoiseReport } from './noise.ts';

/** The loud tenant's process: it begins and ends by message, and says what answers it got. */
type Order = Exclude<NoiseOrder, 'quiet'>;

let isLoud = false;
let made: Record<string, number> = {};
let sockets: net.Socket[] = [];
let current: Promise<unknown> = Promise.resolve();
const agent = new Agent({ connections: 2_000, headersTimeout: 120_000, bodyTimeout: 120_000 });
const run = process.pid;
let numbers = 0;
const next = () => {
  numbers += 1;
  return numbers;
};

const WAYS: Record<Noise, (order: Order) => Promise<unknown>> = {
  'bulk orders with a destination': (order) =>
    together(20, () => post(order, '/orders/bulk', { mode: 'create', orders: [orderFor(order)] })),
  'keyed orders with a destination': (order) =>
    together(200, () => post(order, '/orders', orderFor(order), { 'idempotency-key': `noise-${run}-${next()}` })),
  'wrong passwords': (order) =>
    together(200, () =>
      post(order, '/auth/password', { current_password: 'not this one', new_password: 'but this one, please' }),
    ),
  'exports that are not read': (order) => holdOpen(order, 64, '/orders/dashboard/export'),
  'slow searches': (order) => together(48, () => get(order, '/orders?search=a&sort=customer_name&page=50')),
  'new branches': (order) => together(80, () => post(order, '/branches', { iv_id: `noise-${run}-${next()}` })),
  'open streams': (order) => holdOpen(order, 1_500, '/orders/changes/stream?cursor=now'),
  [MANY_STREAMS]: (order) =>
    readManyStreams({ ...order, isLoud: () => isLoud, note, writeOrder: () => post(order, '/orders', newOrderBody()) }),
};

const orderFor = ({ branchId }: Order) => ({ ...newOrderBody(), destination: branchId });

/** So many at once, each beginning again as soon as it has its answer. */
function together(width: number, once: () => Promise<void>): Promise<unknown> {
  return Promise.all(
    Array.from({ length: width }, async () => {
      while (isLoud) await once();
    }),
  );
}

function get(order: Order, path: string): Promise<void> {
  return send(order, path, { method: 'GET' });
}

function post(order: Order, path: string, body: object, headers: Record<string, string> = {}): Promise<void> {
  return send(order, path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

type Sent = { method: 'GET' | 'POST'; body?: string; headers?: Record<string, string> };

async function send({ baseUrl, token }: Order, path: string, { headers, ...rest }: Sent): Promise<void> {
  try {
    const answer = await request(`${baseUrl}/api/v1${path}`, {
      ...rest,
      dispatcher: agent,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    await answer.body.dump();
    note(String(answer.statusCode));
  } catch (error) {
    note(error instanceof Error ? error.name : 'error');
  }
}

function note(what: string): void {
  made[what] = (made[what] ?? 0) + 1;
}

/** Sends requests and does not read the answers; refused requests are sent again later. */
async function holdOpen({ baseUrl, token }: Order, width: number, path: string): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const mine = sockets;
  const open = () => {
    // Another noise has its own.
    if (mine !== sockets) return;
    const socket = net.connect({ host: hostname, port: Number(port) });
    mine.push(socket);
    socket.write(`GET /api/v1${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
    socket.once('readable', () => {
      note(socket.read(12)?.toString().slice(9) ?? 'nothing');
      socket.pause();
    });
    socket.on('error', () => note('cut'));
    socket.once('close', () => setTimeout(open, 100));
  };
  for (let opened = 0; opened < width; opened += 1) open();
}

process.on('message', async (order: NoiseOrder) => {
  if (order !== 'quiet') {
    isLoud = true;
    current = WAYS[order.noise](order);
    return;
  }
  isLoud = false;
  const opened = sockets;
  sockets = [];
  for (const socket of opened) socket.destroy();
  await current;
  process.send?.({ made } satisfies NoiseReport);
  made = {};
});
// Nothing but the channel keeps it alive between two noises.
process.channel?.ref();
process.send?.({ ready: true });
