import { beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  commercialAccount,
  type TestAccount,
  type TestService,
  testOrganization,
  testService,
} from '../../../../test/harness/index.ts';
import { movableClock } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';

type Row = {
  id: string;
  name: string;
  notes: string;
  status: string;
  assignee: { id: string; name: string } | null;
  notes_count: number;
  created: string;
  updated: string;
};
type List<Item> = { data: Item[]; count: number; total_count: number };
type Note = { id: string; body: string; author: { id: string }; created: string };

const clock = movableClock(new Date('2026-11-15T08:00:00Z'));
let service: TestService;
let operator: TestAccount;
let merchant: TestAccount;
let lead: string;
beforeAll(async () => {
  service = await testService({ LEAD_RATE_LIMIT_PER_MINUTE: '0' }, { clock });
  operator = await commercialAccount(service.sql);
  merchant = (await testOrganization(service.sql)).owner;
  lead = await takeLead({ name: 'أحمد القحطاني', email: 'ahmad@example.com', notes: 'call after 5' });
  clock.advanceMs(1000);
  await takeLead({ name: 'Sara Al-Harbi', email: 'sara@example.com', erp: 'Odoo 100%' });
  clock.advanceMs(1000);
});

const takeLead = async (body: object) => (await call<Row>(service.baseUrl, 'POST /leads', { body })).body.id;
const list = async (query = '') =>
  (await call<List<Row>>(service.baseUrl, `GET /commercial/leads${query}`, { token: operator.token })).body;
const names = async (query: string) => (await list(query)).data.map(({ name }) => name);
const change = (body: unknown, id = lead, token = operator.token) =>
  call<Row>(service.baseUrl, `PATCH /commercial/leads/${id}`, { token, body });
const note = (body: unknown, headers = {}, id = lead) =>
  call<Note>(service.baseUrl, `POST /commercial/leads/${id}/notes`, { token: operator.token, body, headers });
const audited = (resourceId: string) => service.sql`
  select action, changed_fields from audit_entries where resource_id = ${resourceId} order by at, id`;

describe('PATCH /commercial/leads/{id}', () => {
  it('changes status and assignee, and records who changed what', async () => {
    const first = await change({ status: 'contacted' });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ status: 'contacted', assignee: null, notes: 'call after 5' });
    expect(first.body.updated).toBe(clock.now().toISOString());
    const second = await change({ assignee_id: operator.userId });
    expect(second.body.assignee?.id).toBe(operator.userId);
    expect(await audited(lead)).toEqual([
      { action: 'update', changed_fields: ['status'] },
      { action: 'update', changed_fields: ['assignee_id'] },
    ]);
  });

  it('writes nothing when nothing changes', async () => {
    const before = (await list()).data.find(({ id }) => id === lead);
    clock.advanceMs(1000);
    expect((await change({ status: 'contacted' })).body).toEqual(before);
    expect(await audited(lead)).toHaveLength(2);
  });

  it('refuses an unknown status, an assignee who is no operator, and an unknown lead', async () => {
    expect((await change({ status: 'sleeping' })).status).toBe(422);
    const refused = await change({ assignee_id: merchant.userId });
    expect([refused.status, refused.body]).toMatchObject([422, { details: { assignee_id: 'is no active operator' } }]);
    expect((await change({ assignee_id: newId() })).status).toBe(422);
    expect((await change({ status: 'won' }, newId())).status).toBe(404);
    expect((await change({ status: 'won' }, 'nonsense')).status).toBe(404);
    expect((await change({ status: 'won' }, lead, merchant.token)).status).toBe(403);
    expect((await call(service.baseUrl, `PATCH /commercial/leads/${lead}`, { body: {} })).status).toBe(401);
  });
});

describe('GET /commercial/leads', () => {
  it('filters by status, assignee and search; GET /leads keeps its fields', async () => {
    expect(await names('?status=contacted')).toEqual(['أحمد القحطاني']);
    expect(await names('?status=new')).toEqual(['Sara Al-Harbi']);
    expect(await names(`?assignee=${operator.userId}`)).toEqual(['أحمد القحطاني']);
    expect(await names('?assignee=none')).toEqual(['Sara Al-Harbi']);
    expect(await names(`?search=${encodeURIComponent('احمد')}`)).toEqual(['أحمد القحطاني']);
    expect(await names('?search=HARBI')).toEqual(['Sara Al-Harbi']);
    expect(await names(`?search=${encodeURIComponent('100%')}`)).toEqual(['Sara Al-Harbi']);
    expect(await names(`?search=${encodeURIComponent('%')}&status=contacted`)).toEqual([]);
    expect(await names('?limit=1&page=2')).toEqual(['أحمد القحطاني']);
    const plain = await call<{ leads: object[] }>(service.baseUrl, 'GET /leads', { token: operator.token });
    expect(Object.keys(plain.body.leads[0] ?? {})).not.toContain('status');
  });

  it.each([
    ['مُحَمَّد الزهراني', 'محمد الزهراني'],
    ['مُحَمَّد الشهري', 'مُحَمَّد الشهري'],
    ['خـــالد الدوسري', 'خالد'],
    ['José Álvarez', 'josé'],
    ['Straße 5 GmbH', 'strasse'],
    ['Noura  Saleh', 'Noura  Saleh'],
    ['Lama Tel ٠٥٠١٢٣', '050123'],
  ])('finds %s by %s', async (name, search) => {
    await takeLead({ name, email: 'a@example.com' });
    clock.advanceMs(1000);
    const query = `?search=${encodeURIComponent(search)}`;
    expect(await names(query)).toEqual([name]);
    expect((await list(`${query}&limit=1&page=2`)).total_count).toBe(1);
    await service.sql`delete from leads where name = ${name}`;
  });

  it('returns 400 or 422 for invalid filters, 403 for a merchant', async () => {
    const ask = async (query: string, token = operator.token) =>
      (await call(service.baseUrl, `GET /commercial/leads?${query}`, { token })).status;
    expect(await ask('status=sleeping')).toBeLessThan(423);
    expect(await ask('status=sleeping')).toBeGreaterThan(399);
    expect(await ask('assignee=me')).toBeGreaterThan(399);
    expect(await ask('search=%00')).toBeLessThan(500);
    expect(await ask('', merchant.token)).toBe(403);
  });
});

describe('notes on a lead', () => {
  it('are listed newest first and counted on the lead', async () => {
    await note({ body: 'First call: interested.' });
    clock.advanceMs(1000);
    const second = await note({ body: 'Demo on Tuesday.' });
    expect(second.status).toBe(201);
    expect(second.body.author.id).toBe(operator.userId);
    const path = `GET /commercial/leads/${lead}/notes`;
    const { body } = await call<List<Note>>(service.baseUrl, path, { token: operator.token });
    expect(body.data.map((one) => one.body)).toEqual(['Demo on Tuesday.', 'First call: interested.']);
    expect(body.total_count).toBe(2);
    const row = (await list()).data.find(({ id }) => id === lead);
    expect(row).toMatchObject({ notes_count: 2, updated: second.body.created });
    expect((await audited(lead)).at(-1)).toMatchObject({ action: 'add-note' });
  });

  it('are stored once for an idempotency key', async () => {
    const key = { 'idempotency-key': newId() };
    const [one, other] = await Promise.all([note({ body: 'Once.' }, key), note({ body: 'Once.' }, key)]);
    expect(one.body.id).toBe(other.body.id);
  });

  it('refuses empty, blank and long text, and an unknown lead', async () => {
    for (const body of ['', '  ', 'x'.repeat(2001), 5]) expect((await note({ body })).status).toBe(422);
    expect((await note({ body: 'a\u0000b' })).status).toBe(400);
    expect((await note({ body: 'x' }, {}, newId())).status).toBe(404);
    const path = `GET /commercial/leads/${newId()}/notes`;
    expect((await call(service.baseUrl, path, { token: operator.token })).status).toBe(404);
  });

  it('returns 409 when the lead has 500 notes', async () => {
    await service.sql`update leads set notes_count = 500 where id = ${lead}`;
    const refused = await note({ body: 'One more.' });
    expect([refused.status, refused.headers.get('x-error-reason')]).toEqual([409, 'too-many-notes']);
  });
});

describe('GET /commercial/operators', () => {
  it('lists active Commercial accounts and no merchant', async () => {
    const { body } = await call<{ items: { id: string }[] }>(service.baseUrl, 'GET /commercial/operators', {
      token: operator.token,
    });
    expect(body.items.map(({ id }) => id)).toEqual([operator.userId]);
  });
});
