import { describe, expect, it } from 'vitest';
import { commercialAccount, testShop } from '../../test/harness/index.ts';
import { accrueCommission } from '../modules/commercial/partners/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { newId } from '../platform/ids.ts';
import { UsageError } from './command.ts';
import { commandLineActor } from './command-line-actor.ts';
import { answerOf, runLine } from './testing/run-line.ts';

const { service, shop, ask } = await testShop();
const { sql, platform } = service;
const operator = await commercialAccount(sql);
const dukkan = (...args: string[]) => runLine(platform, ...args);
const answer = <Value = Record<string, string>>(...args: string[]) => answerOf<Value>(platform, ...args);
const IBAN = 'SA0380000000608010167519';
const actionsOf = async (id: string | undefined) =>
  (await sql`select actor_kind, actor_id, action from audit_entries where resource_id = ${id ?? ''} order by id`).map(
    (row) => [row.actor_kind, row.actor_id, row.action],
  );

describe('partner', () => {
  it('is made, given a tenant, a payee and another rate, and listed with what is due', async () => {
    const made = await answer('partner', 'create', '--name', 'Rawabi', '--erp', 'Odoo', '--rate', '12.5');
    expect(made).toEqual({ partner_id: expect.any(String), name: 'Rawabi', erp: 'Odoo', rate_percent: 12.5 });
    const id = made.partner_id ?? '';
    expect(await answer('partner', 'rate', id, '--percent', '20')).toEqual({ partner_id: id, rate_percent: 20 });
    expect(await answer('partner', 'tenant', id, '--organization', shop.id)).toEqual({
      partner_id: id,
      organization_id: shop.id,
      former_partner_id: null,
    });
    const line = ['partner', 'payee', id, '--name', 'Fahad', '--email', 'fahad@rawabi.example', '--iban', IBAN];
    const payee = await answer(...line);
    expect(payee).toEqual({
      id: expect.any(String),
      partner_id: id,
      name: 'Fahad',
      email: 'fahad@rawabi.example',
      iban_masked: 'SA** **** **** **** **** 7519',
    });
    expect((await dukkan(...line)).out).not.toContain(IBAN);
    const paymentId = newId();
    const now = new Date();
    await inTransaction(sql, async (tx) => {
      await tx`
        insert into billing_payments (organization_id, id, amount_sar, method, status, created)
        values (${shop.id}, ${paymentId}, 100.10, 'cash', 'succeeded', ${now})`;
      await accrueCommission(tx, { organizationId: shop.id, paymentId, totalSar: '100.10', now });
    });
    const outline = { id, name: 'Rawabi', erp: 'Odoo', rate_percent: 20, tenants: 1 };
    const sums = { commission_sar: 20.02, paid_sar: 0, due_sar: 20.02 };
    expect(await answer('partner', 'list')).toEqual({ partners: [{ ...outline, ...sums }], next: null });
    expect((await dukkan('partner', 'list')).out).toMatch(/^id +name +erp +rate_percent .*\n.*Rawabi +Odoo +20 +1 /);
    const shown = await ask('GET /commercial/partner-users', { token: operator.token });
    expect(shown.body.items).toEqual([payee]);

    const author = ['cli', commandLineActor().id];
    expect(await actionsOf(id)).toEqual([
      [...author, 'create'],
      [...author, 'update'],
      [...author, 'update'],
    ]);
    expect(await actionsOf(payee.id)).toEqual([[...author, 'create']]);
  });

  it('loses a tenant to another, and says so', async () => {
    const other = await answer('partner', 'create', '--name', 'Sahara', '--erp', 'SAP', '--rate', '0');
    const moved = await answer('partner', 'tenant', other.partner_id ?? '', '--organization', shop.id);
    expect(moved.former_partner_id).toEqual(expect.any(String));
    const { next } = await answer('partner', 'list', '--limit', '1');
    const rest = await answer<{ partners: { name: string }[] }>('partner', 'list', '--after', next ?? '');
    expect(rest.partners.map(({ name }) => name)).toEqual(['Sahara']);
  });

  const nobody = newId();
  it.each<[string, string[], string]>([
    ['no rate', ['create', '--name', 'R', '--erp', 'O'], '--rate is required'],
    ['a rate above all', ['create', '--name', 'R', '--erp', 'O', '--rate', '101'], '--rate must be a number from 0 to'],
    ['a rate in slivers', ['create', '--name', 'R', '--erp', 'O', '--rate', '1.005'], '--rate must be a number from 0'],
    ['a rate in words', ['create', '--name', 'R', '--erp', 'O', '--rate', 'ten'], '--rate must be a number from 0 to'],
    ['a long name', ['create', '--name', 'x'.repeat(201), '--erp', 'O', '--rate', '1'], '--name must have 1 to 200'],
    ['a rate below nothing', ['rate', nobody, '--percent', '-1'], '--percent'],
    ['an unknown organization', ['tenant', nobody, '--organization', nobody], `No organization ${nobody}`],
    [
      'no address',
      ['payee', nobody, '--name', 'F', '--email', 'fahad', '--iban', IBAN],
      '--email: "fahad" is not an email address',
    ],
    [
      'a mistyped account',
      ['payee', nobody, '--name', 'F', '--email', 'f@a.co', '--iban', 'SA0380000000608010167518'],
      '--iban is no valid IBAN',
    ],
  ])('is refused with %s', async (_what, words, message) => {
    const refused = dukkan('partner', ...words);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(UsageError);
  });

  it.each([
    ['rate', '--percent', '1'],
    ['tenant', '--organization', shop.id],
    ['payee', '--name', 'F', '--email', 'f@a.co', '--iban', IBAN],
  ])('%s of one that is not there is refused', async (verb, ...options) => {
    await expect(dukkan('partner', verb, nobody, ...options)).rejects.toMatchObject({ status: 404 });
  });

  it('explains itself', async () => {
    for (const verb of ['create', 'rate', 'tenant', 'payee', 'list']) {
      const { out } = await runLine(undefined, 'partner', verb, '--help');
      expect(out).toContain(`dukkan partner ${verb}`);
    }
  });
});
