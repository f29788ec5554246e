import { beforeAll, describe, expect, it } from 'vitest';
import { type ReplyBody, testAccount, testOrganization } from '../../../test/harness/index.ts';
import { movableClock } from '../../platform/clock.ts';
import { newOrder } from '../orders/testing/new-order.ts';
import { FIRST_PREVIOUS_HASH } from './invoice-xml.ts';
import { openTill } from './testing/open-till.ts';
import { readTlv } from './testing/read-tlv.ts';
import { nodesAt, readXml, textAt } from './testing/read-xml.ts';
import { faultsOf } from './testing/ubl-order.ts';

const clock = movableClock(new Date('2026-11-15T08:00:00.789Z'));
const { service, shop, ask, sell, setStock, branchIds } = await openTill({}, { clock });
const { sql } = service;
const bread = [{ sku_iv_id: 'BREAD_RUH-1', quantity: 2 }];
const sold = async (body: object = { lines: bread }): Promise<string> => (await sell({ ...body })).body.data.id;
const placed = async (fields: Record<string, unknown>): Promise<string> =>
  (await ask('POST /orders', { body: newOrder(fields) })).body.data.id;
const invoice = (orderId: string, options = {}) => ask(`POST /orders/${orderId}/invoice`, options);

beforeAll(() => setStock(1_000));

describe('POST /orders/{id}/invoice', () => {
  it('returns 201 with number, hashes and QR code, and 200 with the same invoice for a repeat', async () => {
    const orderId = await sold({ lines: [{ sku_iv_id: 'DATES_RUH-1', quantity: 2 }], discounts_amount: 10.5 });
    const reply = await invoice(orderId);
    expect(reply.status, reply.text).toBe(201);
    expect(Object.keys(reply.body)).toEqual(['success', 'message', 'data', 'timestamp']);
    const { data } = reply.body;
    expect(data).toEqual({
      invoice_number: 'RUH-1-000001',
      issued_at: '2026-11-15T08:00:00Z',
      seller_name: 'متجر',
      vat_number: '300000000000003',
      total: 100,
      vat: 13.04,
      qr: expect.any(String),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      hash: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      previous_hash: FIRST_PREVIOUS_HASH,
    });
    expect(readTlv(data.qr)).toEqual(['متجر', '300000000000003', '2026-11-15T08:00:00Z', '100.00', '13.04']);

    const again = await invoice(orderId);
    expect([again.status, again.body.data]).toEqual([200, data]);
    expect((await ask(`GET /orders/${orderId}/invoice`)).body).toEqual(data);

    const other = await invoice(await sold());
    expect(other.body.data).toMatchObject({ invoice_number: 'RUH-1-000002', previous_hash: data.hash });
    const elsewhere = await invoice(await placed({ destination: 'JED-1' }));
    expect(elsewhere.body.data).toMatchObject({
      invoice_number: 'JED-1-000001',
      previous_hash: FIRST_PREVIOUS_HASH,
      total: 23,
      vat: 3,
    });
  });

  it('emits order.invoiced with the order once, and writes one audit entry', async () => {
    const orderId = await sold();
    await invoice(orderId);
    await invoice(orderId);
    const timeline = async () => (await ask(`GET /orders/${orderId}/timeline`)).body.events as ReplyBody[];
    await expect.poll(async () => (await timeline()).length).toBe(2);
    expect((await timeline())[1]).toMatchObject({
      type: 'order.invoiced',
      change: 'invoiced',
      changed_fields: [],
      status_from: 'delivered',
      status_to: 'delivered',
      payment_status_to: 'paid',
      order: { id: orderId },
    });
    const entries = await sql`
      select action, resource from audit_entries where organization_id = ${shop.id} and resource_id = ${orderId}
      order by id`;
    expect(entries).toEqual([
      { action: 'create', resource: 'Orders' },
      { action: 'invoice', resource: 'Orders' },
    ]);
  });

  it('returns the stored response for a repeated Idempotency-Key', async () => {
    const orderId = await sold();
    const headers = { 'idempotency-key': 'invoice-1' };
    const first = await invoice(orderId, { headers });
    const second = await invoice(orderId, { headers });
    expect([second.status, second.text, second.headers.get('idempotency-hit')]).toEqual([201, first.text, 'true']);
  });

  it('returns 409 without a branch, with a deleted one, without a VAT number, and for inconsistent amounts', async () => {
    const nowhere = await invoice(await placed({ destination: null }));
    expect([nowhere.status, nowhere.body.error]).toEqual([409, 'Order without a branch']);
    await ask('POST /branches', { body: { iv_id: 'GONE' } });
    const orphan = await placed({ destination: 'GONE' });
    await ask('DELETE /branches/GONE?force=true');
    expect((await invoice(orphan)).status).toBe(409);

    const odd = await invoice(await placed({ destination: 'RUH-1', total_amount: 10, vat_amount: 11 }));
    expect([odd.status, odd.body.error]).toEqual([409, 'Amounts do not add up']);

    const orderId = await sold();
    await ask('PATCH /organization', { body: { vat_number: '' } });
    const unnumbered = await invoice(orderId);
    expect([unnumbered.status, unnumbered.body.error]).toEqual([409, 'VAT number missing']);
    await ask('PATCH /organization', { body: { vat_number: '300000000000003' } });
    expect((await invoice(orderId)).status).toBe(201);
  });

  it('returns 404 to accounts that do not see the order, and 403 without the grant', async () => {
    const orderId = await sold();
    const otherShop = await testOrganization(sql);
    const confined = await testAccount(sql, shop.id, 'member', { branchId: branchIds.get('JED-1') });
    const viewer = await testAccount(sql, shop.id, 'viewer');
    for (const { token } of [otherShop.owner, confined]) {
      const reply = await invoice(orderId, { token });
      expect([reply.status, reply.body.error]).toEqual([404, 'Order not found']);
    }
    expect((await invoice('nonsense')).status).toBe(404);
    expect((await invoice(orderId, { token: viewer.token })).status).toBe(403);
    expect((await invoice(orderId)).status).toBe(201);
    for (const { token } of [otherShop.owner, confined]) {
      expect((await ask(`GET /orders/${orderId}/invoice`, { token })).status).toBe(404);
    }
    expect((await ask(`GET /orders/${orderId}/invoice`, { token: viewer.token })).status).toBe(200);
  });
});

describe('GET /orders/{id}/invoice', () => {
  it('returns 404 before the invoice is issued', async () => {
    const reply = await ask(`GET /orders/${await sold()}/invoice`);
    expect([reply.status, reply.body.error]).toEqual([404, 'Invoice not found']);
    expect((await ask('GET /orders/nonsense/invoice')).body.error).toBe('Order not found');
  });

  it('is unchanged when the order is changed or deleted, and cannot be updated in the database', async () => {
    const orderId = await sold();
    const { data } = (await invoice(orderId)).body;
    const replaced = await ask(`PUT /orders/${orderId}`, {
      body: newOrder({ order_status: 'DELIVERED', destination: 'JED-1', total_amount: 1 }),
    });
    expect(replaced.status, replaced.text).toBe(200);
    expect((await ask(`GET /orders/${orderId}/invoice`)).body).toEqual(data);
    await ask('DELETE /orders/bulk', { body: { order_ids: [orderId] } });
    expect((await ask(`GET /orders/${orderId}/invoice`)).body).toEqual(data);
    const confined = await testAccount(sql, shop.id, 'member', { branchId: branchIds.get('JED-1') });
    expect((await ask(`GET /orders/${orderId}/invoice`, { token: confined.token })).status).toBe(404);
    await expect(sql`update invoices set total = 0 where organization_id = ${shop.id}`).rejects.toThrow(/append-only/);
    await expect(sql`delete from invoices where organization_id = ${shop.id}`).rejects.toThrow(/append-only/);
  });

  it('format=xml is UBL 2.1 in the order of its schemas, with names in Arabic', async () => {
    await ask('PATCH /organization', {
      body: { name_ar: 'صيدليات "نجد" & <أبناؤه>', address: 'طريق الملك فهد\nالرياض' },
    });
    const lines = [
      { sku_iv_id: 'MILK_RUH-1', quantity: 3 },
      { sku_iv_id: 'DATES_RUH-1', quantity: 0.25, price: 40.1 },
    ];
    const orderId = await sold({ lines, discounts_amount: 1.11, customer: { name: 'نورة <العتيبي>' } });
    const { data } = (await invoice(orderId)).body;
    const reply = await ask(`GET /orders/${orderId}/invoice?format=xml`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    const root = readXml(reply.text);
    expect(faultsOf(root)).toEqual([]);
    expect(root.attributes.xmlns).toBe('urn:oasis:names:specification:ubl:schema:xsd:Invoice-2');
    expect([textAt(root, 'cbc:ID'), textAt(root, 'cbc:UUID')]).toEqual([data.invoice_number, data.uuid]);
    expect(`${textAt(root, 'cbc:IssueDate')}T${textAt(root, 'cbc:IssueTime')}`).toBe(data.issued_at);
    expect(nodesAt(root, 'cbc:InvoiceTypeCode')).toMatchObject([{ text: '388', attributes: { name: '0200000' } }]);
    const references = nodesAt(root, 'cac:AdditionalDocumentReference');
    const position = Number(data.invoice_number.split('-').at(-1));
    expect(
      references.map((reference) => [
        textAt(reference, 'cbc:ID'),
        textAt(reference, 'cbc:UUID') ?? textAt(reference, 'cac:Attachment', 'cbc:EmbeddedDocumentBinaryObject'),
      ]),
    ).toEqual([
      ['ICV', String(position)],
      ['PIH', data.previous_hash],
      ['QR', data.qr],
    ]);
    const party = ['cac:Party', 'cac:PartyLegalEntity', 'cbc:RegistrationName'];
    expect(textAt(root, 'cac:AccountingSupplierParty', ...party)).toBe('صيدليات "نجد" & <أبناؤه>');
    expect(textAt(root, 'cac:AccountingCustomerParty', ...party)).toBe('نورة <العتيبي>');
    const names = nodesAt(root, 'cac:InvoiceLine', 'cac:Item', 'cbc:Name').map(({ text }) => text);
    expect(names).toEqual(['حليب', 'تمر عجوة']);
    const totals = (name: string) => textAt(root, 'cac:LegalMonetaryTotal', `cbc:${name}`);
    expect([totals('PayableAmount'), totals('TaxInclusiveAmount')]).toEqual(['26.92', '26.92']);
    expect([data.total, data.vat]).toEqual([26.92, 3.51]);
  });
});

/** The invoices of a branch in the order of their numbers, each of them chained to the one before. */
async function chainOf(branchIvId: string) {
  const rows = await sql<{ invoice_number: string; hash: string; previous_hash: string; order_id: string }[]>`
    select invoice_number, hash, previous_hash, order_id from invoices
    where organization_id = ${shop.id} and branch_iv_id = ${branchIvId} order by position`;
  const numbers = rows.map((row) => row.invoice_number);
  expect(numbers).toEqual(rows.map((_, index) => `${branchIvId}-${String(index + 1).padStart(6, '0')}`));
  expect(rows.map((row) => row.previous_hash)).toEqual([
    FIRST_PREVIOUS_HASH,
    ...rows.slice(0, -1).map((row) => row.hash),
  ]);
  return rows;
}

describe('concurrent requests', () => {
  it('for 20 orders of a branch get 20 numbers without a gap in one chain; a refused one uses none', async () => {
    await ask('POST /branches', { body: { iv_id: 'BUSY' } });
    const orders = await Promise.all(Array.from({ length: 20 }, () => placed({ destination: 'BUSY' })));
    const odd = await placed({ destination: 'BUSY', total_amount: 1, vat_amount: 2 });
    const replies = await Promise.all([...orders, odd].map((orderId) => invoice(orderId)));
    expect(replies.map((reply) => reply.status)).toEqual([...orders.map(() => 201), 409]);
    expect(await chainOf('BUSY')).toHaveLength(20);
  });

  it('for one order issue one invoice', async () => {
    const orderId = await sold();
    const replies = await Promise.all(Array.from({ length: 20 }, () => invoice(orderId)));
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body.data))).size).toBe(1);
    const chain = await chainOf('RUH-1');
    expect(chain.filter((row) => row.order_id === orderId)).toHaveLength(1);
  });

  it('for a new branch continue the numbers of the deleted branch with its iv_id', async () => {
    await ask('DELETE /branches/BUSY?force=true');
    await ask('POST /branches', { body: { iv_id: 'BUSY' } });
    const { body } = await invoice(await placed({ destination: 'BUSY' }));
    expect(body.data.invoice_number).toBe('BUSY-000021');
    await chainOf('BUSY');
  });
});
