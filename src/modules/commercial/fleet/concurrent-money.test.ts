import { expect, test } from 'vitest';
import { call, commercialAccount, testDatabase, testService } from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { bill, openShop } from './testing/fleet.ts';

const clock = movableClock(new Date('2026-03-10T09:00:00Z'));
const database = await testDatabase();
const service = await testService({ DATABASE_POOL_SIZE: '2' }, { clock, database });
const other = await testService({ DATABASE_POOL_SIZE: '2' }, { clock, database });
const { sql } = service;
const fleet = { sql, clock };
const operator = await commercialAccount(sql);
const second = await commercialAccount(sql);

const credit = (organization_id: string, amount_sar: number) =>
  ['POST /commercial/tenant-credit', { organization_id, amount_sar, note: 'pressure' }] as const;
const payment = (organization_id: string, amount_sar: number) =>
  ['POST /commercial/payments', { organization_id, amount_sar, method: 'cash', reference: 'pressure' }] as const;

async function moneyOf(id: string) {
  const [row] = await sql`
    select a.balance_sar as balance, a.ledger_rows as rows,
           (select sum(case direction when 'credit' then total_sar else -total_sar end) from ledger_entries
            where organization_id = a.organization_id) as ledger,
           (select sum(total_sar - paid_sar) from branch_fees where organization_id = a.organization_id) as owed
    from billing_accounts a where a.organization_id = ${id}`;
  return row as { balance: number; rows: number; ledger: number; owed: number };
}

test('fifty concurrent credits and payments over two nodes with two connections all succeed, and the balance is exact', async () => {
  const shop = await openShop(fleet, 'Busy', 'مشغول', 4);
  await bill(fleet, '2026-04-02T00:00:00Z');
  const calls = Array.from({ length: 50 }, (_, index) => {
    const [target, body] = index % 2 === 0 ? credit(shop.id, 10.01) : payment(shop.id, 40.02);
    const node = index % 3 === 0 ? other : service;
    return call(node.baseUrl, target, { token: operator.token, body });
  });
  const replies = await Promise.all(calls);
  expect(replies.filter(({ status }) => status !== 200 && status !== 201).map(({ text }) => text)).toEqual([]);
  const { balance, ledger, owed } = await moneyOf(shop.id);
  // 25 x 10.01 + 25 x 40.02 came in; four branches cost 287.50 each.
  expect(owed).toBe(0);
  expect(balance).toBe(100.75);
  expect(ledger).toBe(balance);
});

test('two operators that change two organizations in opposite order do not deadlock', async () => {
  const [one, two] = [await openShop(fleet, 'One', 'واحد'), await openShop(fleet, 'Two', 'اثنان')];
  const work = async (token: string, ids: string[], baseUrl: string) => {
    for (let round = 0; round < 15; round += 1) {
      const both = ids.map((id) => {
        const [target, body] = credit(id, 1);
        return call(baseUrl, target, { token, body });
      });
      for (const { status } of await Promise.all(both)) expect(status).toBe(200);
    }
  };
  await Promise.all([
    work(operator.token, [one.id, two.id], service.baseUrl),
    work(second.token, [two.id, one.id], other.baseUrl),
  ]);
  expect([(await moneyOf(one.id)).balance, (await moneyOf(two.id)).balance]).toEqual([30, 30]);
});

test('twenty requests with one idempotency key over two nodes are applied once and get the same response', async () => {
  const { id } = await openShop(fleet, 'Repeated', 'مكرر');
  for (const [target, body] of [credit(id, 12.5), payment(id, 7.5)]) {
    const headers = { 'idempotency-key': newId() };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call((index % 2 === 0 ? service : other).baseUrl, target, { token: operator.token, body, headers }),
      ),
    );
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers.get('idempotency-hit') === null)).toHaveLength(1);
  }
  expect(await moneyOf(id)).toMatchObject({ balance: 20, rows: 2 });
});
