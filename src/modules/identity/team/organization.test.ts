import { describe, expect, test } from 'vitest';
import { call, testAccount, testOrganization, testService } from '../../../../test/harness/index.ts';
import { publishedAnswers } from '../../../../test/harness/published-answers.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import { withSecondFactor } from '../testing/second-factor.ts';

const clock = movableClock(new Date());
const service = await testService({}, { clock });
const { sql } = service;
const check = await publishedAnswers(service.baseUrl);

async function ask(target: string, token: string, body?: unknown) {
  const reply = await call(service.baseUrl, target, { token, body });
  expect(check(target, reply)).toEqual([]);
  return reply;
}

describe('the organization', () => {
  test('GET answers with what it says of itself, also to those who only read or have one branch', async () => {
    const { id, owner } = await testOrganization(sql);
    const viewer = await testAccount(sql, id, 'viewer');
    const confined = await testAccount(sql, id, 'member', { branchId: newId() });
    for (const { token } of [owner, viewer, confined]) {
      const { status, body } = await ask('GET /organization', token);
      expect([status, body]).toEqual([
        200,
        {
          id,
          name_en: 'Test shop',
          name_ar: 'متجر',
          time_zone: 'Asia/Riyadh',
          currency: 'SAR',
          vat_number: '',
          address: '',
          require_totp: false,
          plan: 'standard',
          is_active: true,
          created: expect.stringMatching(/Z$/),
          updated: body.created,
        },
      ]);
    }
  });

  test('PATCH changes what is given and moves updated', async () => {
    const { id, owner } = await testOrganization(sql);
    await withSecondFactor(service.baseUrl, owner, clock);
    const before = (await ask('GET /organization', owner.token)).body;
    const change = {
      name_en: 'Najd Pharmacies',
      name_ar: 'صيدليات نجد',
      time_zone: 'Asia/Dubai',
      currency: 'aed',
      vat_number: '300000000000003',
      address: 'Olaya Street 12',
      require_totp: true,
    };
    clock.advanceMs(60_000);
    const { status, body } = await ask('PATCH /organization', owner.token, change);
    expect([status, body.success, body.message]).toEqual([200, true, 'Organization updated']);
    const after = { ...before, ...change, currency: 'AED', updated: clock.now().toISOString() };
    expect(body.data).toEqual(after);
    expect((await ask('GET /organization', owner.token)).body).toEqual(after);
    const credentials = await ask('GET /auth/credentials', owner.token);
    expect(credentials.body.tenant.name_en).toBe('Najd Pharmacies');

    const cleared = await ask('PATCH /organization', owner.token, { vat_number: '', address: '', require_totp: false });
    expect(cleared.body.data).toMatchObject({ vat_number: '', address: '', require_totp: false, currency: 'AED' });
    // Nothing of it is another value than before.
    clock.advanceMs(60_000);
    const same = await ask('PATCH /organization', owner.token, { currency: 'AED', vat_number: '' });
    expect(same.body.data).toEqual(cleared.body.data);
    const entries = await sql`
      select actor_id, action, resource, resource_id, changed_fields from audit_entries
      where organization_id = ${id} and resource_id = ${id} order by id`;
    const entry = { actor_id: owner.userId, action: 'update', resource: 'Settings', resource_id: id };
    expect(entries).toEqual([
      { ...entry, changed_fields: Object.keys(change) },
      { ...entry, changed_fields: ['vat_number', 'address', 'require_totp'] },
    ]);
  });

  test.each<[object, string]>([
    [{ name_en: '' }, 'name_en'],
    [{ name_ar: '   ' }, 'name_ar'],
    [{ name_en: 'x'.repeat(256) }, 'name_en'],
    [{ name_en: null }, 'name_en'],
    [{ time_zone: 'Asia/Nowhere' }, 'time_zone'],
    [{ time_zone: '+03:00' }, 'time_zone'],
    [{ time_zone: '' }, 'time_zone'],
    [{ currency: 'SARS' }, 'currency'],
    [{ currency: 'QQQ' }, 'currency'],
    [{ currency: 'XAU' }, 'currency'],
    [{ vat_number: '300000000000004' }, 'vat_number'],
    [{ vat_number: '400000000000003' }, 'vat_number'],
    [{ vat_number: '30000000000003' }, 'vat_number'],
    [{ vat_number: '3000000000000003' }, 'vat_number'],
    [{ vat_number: '3٠٠٠٠٠٠٠٠٠٠٠٠٠3' }, 'vat_number'],
    [{ address: 'x'.repeat(1001) }, 'address'],
    [{ require_totp: 'yes' }, 'require_totp'],
  ])('422 for %j', async (change, field) => {
    const { owner } = await testOrganization(sql);
    const { status, body } = await ask('PATCH /organization', owner.token, { address: 'new', ...change });
    expect([status, Object.keys(body.details)]).toEqual([422, [field]]);
    expect((await ask('GET /organization', owner.token)).body.address).toBe('');
  });

  test('plan and standing are not the tenant’s to change', async () => {
    const { owner } = await testOrganization(sql);
    await ask('PATCH /organization', owner.token, { address: 'new', plan: 'gold', is_active: false, id: newId() });
    expect((await ask('GET /organization', owner.token)).body).toMatchObject({ plan: 'standard', is_active: true });
  });

  test('403 for those who may not change settings', async () => {
    const { id } = await testOrganization(sql);
    const accounts = [
      await testAccount(sql, id, 'viewer'),
      await testAccount(sql, id, 'member'),
      await testAccount(sql, id, 'owner', { branchId: newId() }),
    ];
    for (const { token } of accounts) {
      expect((await ask('PATCH /organization', token, { address: 'x' })).status).toBe(403);
    }
    const shut = await testAccount(sql, id, 'member', { withheld: ['read:Settings'] });
    expect((await ask('GET /organization', shut.token)).status).toBe(403);
  });

  test('409 for who asks others for a second factor without having one', async () => {
    const { owner } = await testOrganization(sql);
    const { status, body } = await ask('PATCH /organization', owner.token, { require_totp: true });
    expect([status, body.error, Object.keys(body.details)]).toEqual([409, 'Second factor required', ['require_totp']]);
    expect((await ask('GET /organization', owner.token)).body.require_totp).toBe(false);
    expect((await ask('PATCH /organization', owner.token, { require_totp: false })).status).toBe(200);
    await withSecondFactor(service.baseUrl, owner, clock);
    expect((await ask('PATCH /organization', owner.token, { require_totp: true })).status).toBe(200);
  });
});
