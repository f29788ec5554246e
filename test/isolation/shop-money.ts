import { expect } from 'vitest';
import { SYSTEM_ACTOR } from '../../src/modules/audit/index.ts';
import { formOf, png } from '../../src/modules/branches/testing/images.ts';
import { takePayment } from '../../src/modules/commercial/billing/index.ts';
import { issueFeeInvoices } from '../../src/modules/commercial/fleet/index.ts';
import {
  accrueCommission,
  attachTenant,
  createPartner,
  savePayee,
} from '../../src/modules/commercial/partners/index.ts';
import { readLead, takeLead } from '../../src/modules/leads/index.ts';
import { inTransaction } from '../../src/platform/database/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { type Call, call, commercialAccount, type TestService, testOrganization } from '../harness/index.ts';

type Made = <Body>(target: string, body: unknown) => Promise<Body>;

/** Through the sandbox provider, whose customers confirm on a page of this service. */
export async function openPayments({ sql }: TestService, organization: string, order: string, made: Made) {
  const app = { app_slug: 'tabby-pos-paylinks', settings: { sandbox: true } };
  const install = await made<{ data: { id: string } }>('POST /apps', app);
  type Paylink = { data: { id: string; url: string } };
  const paylink = (await made<Paylink>('POST /providers/tabby/paylinks', { order_id: order })).data;
  const spare = { amount: 5, currency: 'SAR' };
  const sparePaylink = (await made<Paylink>('POST /providers/tabby/paylinks', spare)).data;
  type PaymentOrder = { data: { order_id: string; next_action: { url: string } } };
  const line_items = [{ sku: 'S', name: 'Dates', qty: 1, price: 5 }];
  const paymentOrder = await made<PaymentOrder>('POST /payments/orders', {
    providers: ['tabby'],
    order: { total_amount: 5, currency: 'SAR', line_items },
  });
  for (const url of [paylink.url, paymentOrder.data.next_action.url]) {
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
  }
  const gatewayTransaction = newId();
  const now = new Date();
  // Too long ago to be matched by amount and time.
  const hourAgo = new Date(now.getTime() - 3_600_000);
  await sql`
    insert into gateway_transactions (organization_id, id, provider, organization_app_id, provider_reference, amount, currency,
                                      status, occurred_at, created, updated)
    values (${organization}, ${gatewayTransaction}, 'moyasar', ${install.data.id}, ${newId()}, 5, 'SAR', 'paid', ${hourAgo}, ${now},
            ${now})`;
  return {
    paylink: paylink.id,
    sparePaylink: sparePaylink.id,
    paymentOrder: paymentOrder.data.order_id,
    gatewayTransaction,
    lastingInstall: install.data.id,
  };
}

/** The operator's records about the organization. */
export async function openOperators({ sql, baseUrl, platform }: TestService, organization: string, mark: string) {
  const { token } = await commercialAccount(sql);
  const made = async (target: string, options: Call) => {
    const reply = await call<{ id: string }>(baseUrl, target, { token, ...options });
    expect(reply.status, reply.text).toBe(201);
    return reply.body.id;
  };
  const now = new Date();
  const { partner, payee } = await inTransaction(sql, async (tx) => {
    const input = { name: `${mark} partner`, erp: 'Odoo', ratePercent: '10' };
    const { id } = await createPartner(tx, input, SYSTEM_ACTOR, now);
    await attachTenant(tx, id, organization, SYSTEM_ACTOR, now);
    const account = { partnerId: id, name: 'Payee', email: 'payee@tests.example', iban: 'SA0380000000608010167519' };
    const saved = await savePayee(tx, platform.box, account, SYSTEM_ACTOR, now);
    const paymentId = newId();
    await tx`
      insert into billing_payments (organization_id, id, amount_sar, method, status, created)
      values (${organization}, ${paymentId}, 100, 'cash', 'succeeded', ${now})`;
    await accrueCommission(tx, { organizationId: organization, paymentId, totalSar: '100', now });
    return { partner: id, payee: saved.id };
  });
  const service = { code: mark, name_en: 'Sync', price_sar: 1 };
  const billableService = await made('POST /commercial/billable-services', { body: service });
  const asset = await made(`POST /commercial/billable-services/${billableService}/assets`, {
    raw: formOf({ file: png() }),
  });
  const transfer = {
    partner_id: partner,
    partner_user_id: payee,
    amount_sar: '1',
    period: '2026-10',
    bank_reference: mark,
  };
  const payout = await made('POST /commercial/partner-commissions', {
    raw: formOf({ ...transfer, proof: png() }),
  });
  const post = await made('POST /commercial/posts', {
    // Shown from 2999 on: a visible post is readable from every branch of the organization.
    body: { title_en: mark, title_ar: mark, audience: [organization], from: '2999-01-01T00:00:00Z' },
  });
  const { id: lead } = await takeLead(sql, readLead({ name: mark, email: 'lead@tests.example' }), now);
  return { billableService, asset, partner, payee, payout, post, lead };
}

/** A request of an operator that waits for an answer, and an organization that has allowed support in full. */
export async function openSupport({ sql, baseUrl }: TestService, organization: string) {
  const { token } = await commercialAccount(sql);
  const asked = await call<{ data: { id: string } }>(
    baseUrl,
    `POST /commercial/organizations/${organization}/support-request`,
    { token, body: { scope: 'read', reason: 'A sync failed' } },
  );
  expect(asked.status, asked.text).toBe(201);
  const { id: supportedOrganization, owner } = await testOrganization(sql);
  const body = { scope: 'full', duration_hours: 72 };
  const granted = await call(baseUrl, 'POST /organization/support-grants', { token: owner.token, body });
  expect(granted.status, granted.text).toBe(201);
  return { supportRequest: asked.body.data.id, supportedOrganization };
}

/** A payment to the operator and an open fee. */
export async function openBilling({ sql }: TestService, organizationId: string, branch: string) {
  const now = new Date();
  const { payment } = await inTransaction(sql, (tx) =>
    takePayment(tx, { organizationId, amountSar: '5.00', method: 'cash', reference: 'R', createdBy: 'tests', now }),
  );
  const fee = newId();
  await sql`
    insert into branch_fees (organization_id, id, branch_iv_id, period, amount_sar, vat_sar, paid_sar, status, due_date, created)
    values (${organizationId}, ${fee}, ${branch}, '2026-01-01', 100, 15, 0, 'pending', '2999-01-15', ${now})`;
  const feeInvoice = await inTransaction(sql, async (tx) => {
    await issueFeeInvoices(tx, organizationId, { name: 'S', nameAr: 'S', vatNumber: '3', address: '' }, now);
    const [issued] = await tx<{ number: string }[]>`
      select number from fee_invoices where organization_id = ${organizationId}`;
    return issued?.number ?? '';
  });
  const [checkout, spareCheckout] = [newId(), newId()];
  await sql`
    insert into billing_checkouts (organization_id, id, amount_sar, status, created_by, created)
    select ${organizationId}::uuid, id, 5, 'pending', 'tests', ${now} from unnest(${[checkout, spareCheckout]}::uuid[]) as c (id)`;
  return { billingPayment: payment.id, fee, feeInvoice, checkout, spareCheckout };
}
