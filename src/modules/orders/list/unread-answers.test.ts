import type { Socket } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  openSocket,
  type TestOrganization,
  type TestService,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { fillOrders } from '../testing/fill-orders.ts';

const TENANTS = 4;
const EXPORTS_A_TENANT = 4;

let service: TestService;
let shops: TestOrganization[];
let bystander: TestOrganization;

beforeAll(async () => {
  service = await testService({ DATABASE_POOL_SIZE: '4' });
  bystander = await testOrganization(service.sql);
  shops = await Promise.all(Array.from({ length: TENANTS }, () => testOrganization(service.sql)));
  // 15 MB of text each: more than the sockets and buffers between the two can hold.
  for (const { id } of shops) await fillOrders(service.sql, { organizationId: id, count: 3_000, commentLength: 5_000 });
});

/** Sends a request, waits for the first line of its answer, and never reads on. */
async function askAndNeverRead(token: string, path: string): Promise<{ status: number; socket: Socket }> {
  const socket = await openSocket(service.baseUrl);
  socket.on('error', () => undefined);
  socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const head = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  socket.pause();
  return { status: Number(head.toString('latin1').slice(9, 12)), socket };
}

describe('answers that the client does not read', () => {
  test('hold no connection: sixteen exports leave a pool of four connections free', async () => {
    const asked = shops.flatMap(({ owner }) =>
      Array.from({ length: EXPORTS_A_TENANT }, () => askAndNeverRead(owner.token, '/orders/dashboard/export')),
    );
    const open = await Promise.all(asked);
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    const { token } = bystander.owner;
    for (const target of ['GET /orders', 'GET /orders/dashboard', 'GET /orders/dashboard/export', 'GET /branches']) {
      expect((await call(service.baseUrl, target, { token })).status).toBe(200);
    }
    await expect
      .poll(async () => {
        const [row] = await service.sql<{ busy: number }[]>`
          select count(*) as busy from pg_stat_activity
          where datname = current_database() and application_name = 'dukkan' and query like '%orders%' and state <> 'idle'`;
        return row?.busy;
      })
      .toBe(0);

    const [shop] = shops;
    const fifth = await call(service.baseUrl, 'GET /orders/dashboard/export', { token: shop?.owner.token });
    expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, '5']);
    for (const { socket } of open) socket.destroy();
    await expect
      .poll(async () => {
        const again = await call(service.baseUrl, 'GET /orders/dashboard/export', { token: shop?.owner.token });
        return [again.status, again.text.split('\r\n').length];
      })
      .toEqual([200, 3_002]);
  });

  test('contain each order at most once, in its state when the client reads it', async () => {
    const [, shop] = shops;
    if (shop === undefined) throw new Error('no shop');
    const { socket } = await askAndNeverRead(shop.owner.token, '/orders/dashboard/export');
    // The oldest come last, and nothing of them has been read yet.
    const [gone, changed] = await service.sql<{ id: string }[]>`
      select id from orders where organization_id = ${shop.id} order by created_at, id limit 2`;
    await service.sql`delete from orders where organization_id = ${shop.id} and id = ${gone?.id ?? ''}`;
    await service.sql`update orders set customer_name = 'Changed', created_at = now()
                      where organization_id = ${shop.id} and id = ${changed?.id ?? ''}`;
    const rest: Buffer[] = [];
    socket.on('data', (bytes) => rest.push(bytes));
    socket.resume();
    await expect.poll(() => rest.at(-1)?.toString('latin1').endsWith('0\r\n\r\n')).toBe(true);
    socket.destroy();
    // Chunk lengths stand on lines of their own and may cut a row in two.
    const text = Buffer.concat(rest)
      .toString('utf8')
      .replaceAll(/\r\n[0-9a-f]{1,8}\r\n/g, '');
    expect(text.includes(gone?.id ?? 'none')).toBe(false);
    expect(text.split(changed?.id ?? 'none')).toHaveLength(2);
    expect(text.split('Changed')).toHaveLength(2);
  });
});
