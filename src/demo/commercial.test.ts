import { expect, it } from 'vitest';
import { type Call, call, testService } from '../../test/harness/index.ts';
import { listStoredFiles } from '../modules/branches/testing/images.ts';
import { inTransaction } from '../platform/database/index.ts';
import { newId } from '../platform/ids.ts';
import { readShelves } from './baskets.ts';
import { seedCatalog } from './catalog.ts';
import { installApps } from './channels.ts';
import { recordWithReceipt, seedCommercial, seedServices } from './commercial.ts';
import { createPeople } from './people.ts';
import { SERVICES } from './words/commercial.ts';

const service = await testService();
const { sql, platform } = service;

it('has services that installs pay for, partners who were paid, and news in both languages', async () => {
  const now = new Date();
  const { transfer, logins } = await inTransaction(sql, async (tx) => {
    const people = await createPeople(tx, now);
    await seedCatalog(tx, people, now);
    const payments = [];
    for (const [index, { id: organizationId }] of people.logins.organizations.entries()) {
      const owner = people.actors[index]?.owner;
      if (owner === undefined) throw new Error('a shop without an owner');
      const shelves = await readShelves(tx, organizationId);
      await installApps(tx, platform.box, { organizationId, shelves, owner }, now);
      const payment = { organizationId, id: newId(), totalSar: '1000.10', created: now };
      await tx`
        insert into billing_payments (organization_id, id, amount_sar, method, status, created)
        values (${organizationId}, ${payment.id}, ${payment.totalSar}, 'bank_transfer', 'succeeded', ${now})`;
      payments.push(payment);
    }
    const { logins } = people;
    await seedServices(tx, platform.box, logins, now);
    return { transfer: await seedCommercial(tx, platform.box, { logins, payments, refunds: [] }, now), logins };
  });
  if (transfer === undefined) throw new Error('nothing is left to be recorded');
  await recordWithReceipt(platform, transfer);

  const { token } = logins.commercial;
  const get = async (path: string, options: Call = {}) => {
    const { status, body } = await call(service.baseUrl, `GET /commercial/${path}`, { token, ...options });
    expect(status).toBe(200);
    return body;
  };
  const services = await get('billable-services');
  expect(services.total_items).toBe(SERVICES.length);
  // Five apps in each of two shops.
  expect((await get('billable-services/assignments')).total_items).toBe(10);
  const rates = await get('erp-commission-rates');
  expect(rates.items.map((one: { tenants: unknown }) => one.tenants)).toEqual([
    [expect.objectContaining({ name_en: 'Najd Pharmacies', commission_sar: 125.01, paid_sar: 83.34, due_sar: 41.67 })],
    [expect.objectContaining({ name_en: 'Tihama Grocers', commission_sar: 100.01, paid_sar: 66.67, due_sar: 33.34 })],
  ]);
  const payouts = await get('partner-commissions');
  expect(payouts.items.map((one: { has_proof: boolean }) => one.has_proof)).toEqual([true, false]);
  const receipt = await call(service.baseUrl, `GET /commercial/partner-commissions/${payouts.items[0].id}/proof`, {
    token,
  });
  expect(receipt.headers.get('content-type')).toBe('application/pdf');
  expect(await listStoredFiles(service.dataDir)).toHaveLength(1);
  expect(await sql`select 1 from unclaimed_files`).toEqual([]);
  expect((await get('posts')).total_items).toBe(3);
  expect((await get('partner-users')).total_items).toBe(2);
});
