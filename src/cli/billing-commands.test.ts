import { describe, expect, it } from 'vitest';
import { testOrganization, testService } from '../../test/harness/index.ts';
import { addMonths, billingDay, periodOf, startOfBillingDay } from '../modules/commercial/billing/index.ts';
import { movableClock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import { UsageError } from './command.ts';
import { answerOf, runLine } from './testing/run-line.ts';

const clock = movableClock(new Date());
const service = await testService({}, { clock });
const { sql } = service;
const { id } = await testOrganization(sql);
await sql`
  insert into branches (organization_id, id, iv_id, created, updated)
  values (${id}, ${newId()}, 'B-1', now() - interval '1 day', now())`;

const dukkan = (...args: string[]) => runLine(service.platform, ...args);
const answer = <Value = Record<string, unknown>>(...args: string[]) => answerOf<Value>(service.platform, ...args);
const nothing = { organizations: 1, charged: 0, settled: 0, suspended: 0, resumed: 0, failed: 0 };
const paying = ['billing', 'record-payment', '--organization', id, '--method', 'bank_transfer', '--reference', 'TRF-9'];
const refunding = ['billing', 'refund', '--organization', id, '--note', 'Transferred twice'];

describe('billing by hand', () => {
  it('charges, takes payments in and pays back, with the command line as author', async () => {
    expect(await answer('billing', 'run', '--organization', id)).toEqual(nothing);
    clock.moveTo(startOfBillingDay(addMonths(periodOf(billingDay(clock.now())), 1)));
    expect(await answer('billing', 'run')).toEqual({ ...nothing, charged: 1 });
    expect(await answer('billing', 'run')).toEqual({ ...nothing, organizations: 0 });

    const paid = await answer(...paying, '--amount', '300');
    expect(paid).toMatchObject({
      organization_id: id,
      amount_sar: 300,
      outstanding_sar: 287.5,
      applications: [{ branch_iv_id: 'B-1', outstanding_sar: 287.5, applied_sar: 287.5 }],
      to_wallet_sar: 12.5,
      wallet_balance_after_sar: 12.5,
      resumed: false,
    });
    expect(await answer(...refunding, '--amount', '12.50')).toEqual({
      ledger_entry_id: expect.any(String),
      organization_id: id,
      amount_sar: 12.5,
    });
    const audit = await sql`
      select actor_kind, action from audit_entries where organization_id = ${id} and actor_kind = 'cli' order by at, id`;
    expect(audit).toEqual([
      { actor_kind: 'cli', action: 'record-payment' },
      { actor_kind: 'cli', action: 'refund' },
    ]);
  });

  it('says in words what --json says in JSON', async () => {
    const { out, code } = await dukkan('billing', 'run', '--organization', id);
    expect([code, out]).toEqual([0, expect.stringMatching(/organizations +1\ncharged +0\n/)]);
    expect((await runLine(undefined, 'billing', 'refund', '--help')).out).toContain('--organization ID');
  });

  it('takes nothing out that is not there', async () => {
    await expect(dukkan(...refunding, '--amount', '0.01')).rejects.toThrow('The wallet does not hold that much');
  });
});

describe('refusals', () => {
  it.each<[string, string[], string]>([
    ['an amount of nothing', [...paying, '--amount', '0'], '--amount: "0" is not an amount such as 287.50'],
    ['less than a halala', [...refunding, '--amount', '0.001'], '--amount: "0.001" is not an amount'],
    ['words', [...refunding, '--amount', 'much'], '--amount: "much" is not an amount'],
    ['no amount', paying, '--amount is required'],
    ['no method', [...paying, '--amount', '1', '--method', 'gold'], '--method'],
    ['an unknown shop', ['billing', 'run', '--organization', 'x'], 'No organization x'],
    ['a refund without a reason', ['billing', 'refund', '--organization', id, '--amount', '1'], '--note is required'],
  ])('%s', async (_what, args, message) => {
    const work = dukkan(...args);
    await expect(work).rejects.toThrow(UsageError);
    await expect(work).rejects.toThrow(message);
  });
});
