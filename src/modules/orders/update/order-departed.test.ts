import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  type ReplyBody,
  type TestOrganization,
  type TestService,
  testAccount,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { newOrder } from '../testing/new-order.ts';

let service: TestService;
let shop: TestOrganization;

beforeAll(async () => {
  service = await testService();
  shop = await testOrganization(service.sql);
});

const as = (target: string, options: Parameters<typeof call>[2] = {}) =>
  call(service.baseUrl, target, { token: shop.owner.token, ...options });

async function makeBranch(ivId: string): Promise<string> {
  return (await as('POST /branches', { body: { iv_id: ivId, name_en: `Store ${ivId}` } })).body.data.id;
}

describe('order.departed', () => {
  it('shows the former branch neither the changes of the move nor the new branch', async () => {
    const left = await makeBranch('LEFT');
    const joined = await makeBranch('JOINED');
    const body = newOrder({ destination: left, customer_name: 'Known to both', payment_status: 'pending' });
    const { id } = (await as('POST /orders', { body })).body.data;
    const before = (await as(`GET /orders/${id}?format=canonical`)).body.order;
    const moved = {
      ...body,
      destination: joined,
      order_status: 'DISPATCHED',
      payment_status: 'completed',
      customer_name: 'Known to the new one',
      customer_phone: '+966500000009',
      comment: 'a secret of the new branch',
    };
    expect((await as(`PUT /orders/${id}`, { body: moved })).status).toBe(200);

    const events = async (token = shop.owner.token) =>
      (await as('GET /orders/changes', { token })).body.events as ReplyBody[];
    await expect.poll(async () => (await events()).length).toBe(3);
    const [, departed, joining] = await events();
    expect(departed).toMatchObject({
      type: 'order.departed',
      change: 'departed',
      order_id: id,
      changed_fields: ['destination_id'],
      status_from: 'received',
      status_to: 'received',
      payment_status_from: 'pending',
      payment_status_to: 'pending',
      order: before,
    });
    expect(joining).toMatchObject({
      type: 'order.status_changed',
      status_from: 'received',
      status_to: 'dispatched',
      order: { branch: { id: joined }, customer: { name: 'Known to the new one' } },
    });
    expect(joining.changed_fields).toContain('customer_name');

    const confined = await testAccount(service.sql, shop.id, 'member', { branchId: left });
    const seen = await as('GET /orders/changes', { token: confined.token });
    expect(seen.body.events.map((event: ReplyBody) => event.type)).toEqual(['order.created', 'order.departed']);
    for (const word of [joined, 'JOINED', 'Known to the new one', '+966500000009', 'secret', 'DISPATCHED']) {
      expect(seen.text).not.toContain(word);
    }
  });
});
