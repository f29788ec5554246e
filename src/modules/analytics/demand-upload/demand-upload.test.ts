import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { testAccount } from '../../../../test/harness/index.ts';
import { newId } from '../../../platform/ids.ts';
import { SYSTEM_ACTOR } from '../../audit/index.ts';
import { HEADER, openDemandShop, TODAY } from '../testing/demand-shop.ts';
import { MAX_UPLOAD_BYTES, openDemandUpload, receiveDemandFile } from './receive-demand-file.ts';
import { runUpload } from './run-upload.ts';

const shop = await openDemandShop();
const { service, ask, upload, jobOf, uploaded } = shop;
const { sql } = service;
const organizationId = shop.shop.id;

const savedDays = () => sql`
  select sku_iv_id as sku, sale_date::text as day, qty, unit_price as price from demand_days
  where organization_id = ${organizationId} order by sku_iv_id, sale_date`;
const stockOf = async (ivId: string) =>
  (
    await sql`select current_qty, reorder_threshold, buffer from skus
             where organization_id = ${organizationId} and iv_id = ${ivId}`
  )[0];

beforeEach(() => sql`delete from demand_days where organization_id = ${organizationId}`);

describe('an accepted upload', () => {
  it('returns 202, and saves its rows with the stock of the latest day', async () => {
    const reply = await upload(
      `${HEADER}\nMILK_RUH-1,حليب,2026-11-14,4,6,12,5,2\nMILK_RUH-1,حليب,2026-11-15,7.5,,10,,\nSALT_JED-1,,2026-11-15,0,,,,\n`,
    );
    expect([reply.status, reply.body]).toEqual([
      202,
      {
        success: true,
        message: 'Queued',
        data: { job_id: expect.any(String), status_url: `/api/v1/jobs/${reply.body.data.job_id}` },
        timestamp: expect.any(String),
      },
    ]);
    const job = await jobOf(reply);
    expect(job).toMatchObject({ type: 'upload-demand', status: 'succeeded', progress: { done: 3, total: 3 } });
    expect(job.result).toEqual({
      rows: 3,
      saved: 3,
      replaced: 0,
      failed: 0,
      skus: 2,
      ignored_columns: [],
      errors: [],
      errors_left_off: 0,
      forecasts: 'refreshed',
    });
    expect(await savedDays()).toEqual([
      { sku: 'MILK_RUH-1', day: '2026-11-14', qty: 4, price: 6 },
      { sku: 'MILK_RUH-1', day: '2026-11-15', qty: 7.5, price: null },
      { sku: 'SALT_JED-1', day: '2026-11-15', qty: 0, price: null },
    ]);
    // Of the latest day; what its row leaves empty stays.
    expect(await stockOf('MILK_RUH-1')).toEqual({ current_qty: 10, reorder_threshold: 0, buffer: 0 });
    const entries = await sql`
      select action, resource, resource_id, changed_fields from audit_entries
      where organization_id = ${organizationId} and request_id = ${reply.headers.get('x-request-id')} order by resource`;
    expect(entries).toEqual([
      { action: 'import', resource: 'Analytics', resource_id: job.id, changed_fields: ['qty', 'unit_price'] },
      { action: 'update', resource: 'Products', resource_id: expect.any(String), changed_fields: ['current_qty'] },
    ]);
    expect(await sql`select from demand_upload_pieces`).toEqual([]);
  });

  it('replaces an existing day, within a file and across files', async () => {
    await uploaded(`sku_id,sale_date,qty\nMILK_RUH-1,2026-11-10,1\nMILK_RUH-1,2026-11-10,2\nMILK_RUH-1,2026-11-11,9\n`);
    const again = await uploaded(`qty,sale_date,sku_id\n5,2026-11-11,MILK_RUH-1\n`);
    expect(again).toMatchObject({ rows: 1, saved: 1, replaced: 1 });
    expect((await savedDays()).map(({ day, qty }) => [day, qty])).toEqual([
      ['2026-11-10', 2],
      ['2026-11-11', 5],
    ]);
  });

  it('accepts a form, a byte order mark, semicolons, decimal commas, Arabic digits, quotes and blank lines', async () => {
    const csv =
      '\uFEFFSKU_ID;Product_Name_En;sale_date;qty\r\n\r\n"MILK_RUH-1";"حليب ""كامل""; طازج\r\nلتر";2026-11-12;"2,5"\r\n;;;\r\nDATES_RUH-1;;٢٠٢٦-١١-١٢;١٢\r\n';
    const form = new FormData();
    form.append('note', 'of our old till');
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'مبيعات.csv');
    const reply = await ask('POST /analytics/sensy/upload', { raw: form });
    expect(reply.headers.get('x-ignored-fields')).toBe('note');
    expect((await jobOf(reply)).result).toMatchObject({ rows: 2, saved: 2, failed: 0 });
    expect((await savedDays()).map(({ sku, qty }) => [sku, qty])).toEqual([
      ['DATES_RUH-1', 12],
      ['MILK_RUH-1', 2.5],
    ]);
  });

  it('reports every invalid row by line and column and saves the others', async () => {
    const rows = [
      'MILK_RUH-1,,2026-11-13,3,,,,',
      'UNKNOWN_RUH-1,,2026-11-13,3,,,,',
      ',,2026-11-13,3,,,,',
      'MILK_RUH-1,,13/11/2026,3,,,,',
      'MILK_RUH-1,,2026-02-30,3,,,,',
      'MILK_RUH-1,,2026-11-17,3,,,,',
      'MILK_RUH-1,,1999-12-31,3,,,,',
      'MILK_RUH-1,,2026-11-12,,,,,',
      'MILK_RUH-1,,2026-11-12,-1,,,,',
      'MILK_RUH-1,,2026-11-12,many,,,,',
      'MILK_RUH-1,,2026-11-12,1,1e9,,,',
      'MILK_RUH-1,,2026-11-12,1,,x,,',
      'MILK_RUH-1,,2026-11-12,1,,,-2,',
      'MILK_RUH-1,,2026-11-12,1,,,,y',
      'MILK_RUH-1,,2026-11-12',
      '"MILK\u0000_RUH-1",,2026-11-12,1,,,,',
      'SALT_RUH-1,,2026-11-16,6,,-4,,',
    ];
    const result = await uploaded(`${HEADER}\n${rows.join('\n')}\n`);
    expect(result).toMatchObject({ rows: 17, saved: 2, failed: 15, errors_left_off: 0 });
    expect(result.errors).toEqual([
      { line: 3, column: 'sku_id', message: 'SKU not found' },
      { line: 4, column: 'sku_id', message: 'is required' },
      { line: 5, column: 'sale_date', message: 'cannot be read: 13/11/2026 (it takes a day as 2026-11-15)' },
      { line: 6, column: 'sale_date', message: 'cannot be read: 2026-02-30 (it takes a day as 2026-11-15)' },
      { line: 7, column: 'sale_date', message: `is after today, ${TODAY}` },
      { line: 8, column: 'sale_date', message: 'is before 2000-01-01' },
      { line: 9, column: 'qty', message: 'is required' },
      { line: 10, column: 'qty', message: 'must not be negative' },
      { line: 11, column: 'qty', message: 'cannot be read: many (it takes a number as 12 or 12.5)' },
      { line: 12, column: 'unit_price', message: 'cannot be read: 1e9 (it takes a number as 12 or 12.5)' },
      { line: 13, column: 'current_qty', message: 'cannot be read: x (it takes a number as 12 or 12.5)' },
      { line: 14, column: 'reorder_threshold', message: 'must not be negative' },
      { line: 15, column: 'buffer', message: 'cannot be read: y (it takes a number as 12 or 12.5)' },
      { line: 16, column: null, message: '3 cells, where the header names 8' },
      { line: 17, column: 'sku_id', message: 'SKU not found' },
    ]);
    expect((await savedDays()).map(({ sku, day }) => [sku, day])).toEqual([
      ['MILK_RUH-1', '2026-11-13'],
      ['SALT_RUH-1', '2026-11-16'],
    ]);
    expect(await stockOf('SALT_RUH-1')).toMatchObject({ current_qty: -4 });
  });

  it('reports the first thousand invalid rows and counts the rest', async () => {
    const bad = Array.from({ length: 1_500 }, (_, number) => `UNKNOWN${number},2026-11-13,3`);
    const result = await uploaded(`sku_id,sale_date,qty\nMILK_RUH-1,2026-11-13,3\n${bad.join('\n')}`);
    expect([result.errors.length, result.errors_left_off, result.failed]).toEqual([1000, 500, 1500]);
  });

  it('fails without a valid row, and lists the rows in the error of the job', async () => {
    const job = await jobOf(
      await upload('sku_id,sale_date,qty,colour\nUNKNOWN,2026-11-13,3,red\nMILK_RUH-1,soon,3,red\n'),
    );
    expect(job).toMatchObject({
      status: 'failed',
      result: null,
      error: {
        code: 422,
        error: 'Validation failed',
        details: {
          rows: 2,
          failed: 2,
          ignored_columns: ['colour'],
          errors: [
            { line: 2, column: 'sku_id', message: 'SKU not found' },
            { line: 3, column: 'sale_date', message: 'cannot be read: soon (it takes a day as 2026-11-15)' },
          ],
          errors_left_off: 0,
        },
      },
    });
    expect(await savedDays()).toEqual([]);
    expect(await sql`select from demand_upload_pieces`).toEqual([]);
  });

  it('lists the first thousand rows of a failed file, and counts the rest', async () => {
    const bad = Array.from({ length: 1_500 }, (_, number) => `UNKNOWN${number},2026-11-13,3`);
    const { status, error } = await jobOf(await upload(`sku_id,sale_date,qty\n${bad.join('\n')}`));
    expect([status, error.details.errors.length, error.details.errors_left_off]).toEqual(['failed', 1000, 500]);
  });

  it.each(['sku_id,sale_date,qty\n', 'sku_id,sale_date,qty\n,,\n\n'])('fails when there is no row: %j', async (csv) => {
    const job = await jobOf(await upload(csv));
    const error = { code: 422, error: 'Validation failed', details: { file: 'has no rows' } };
    expect([job.status, job.error]).toEqual(['failed', error]);
  });

  it('returns the same response for its Idempotency-Key, and rejects another file with that key', async () => {
    const headers = { 'idempotency-key': 'november' };
    const csv = 'sku_id,sale_date,qty\nMILK_RUH-1,2026-11-10,1\n';
    const first = await upload(csv, headers);
    await jobOf(first);
    const again = await upload(csv, headers);
    expect([again.status, again.headers.get('idempotency-hit'), again.text]).toEqual([202, 'true', first.text]);
    const other = await upload(`${csv}MILK_RUH-1,2026-11-11,1\n`, headers);
    expect([other.status, other.body.error]).toEqual([422, 'Idempotency key reused']);
    // What came with the one that was refused goes once its answer has left.
    await expect.poll(() => sql`select from demand_uploads where job_id is null`).toEqual([]);
  });

  it('reports unknown columns, and rejects them in strict mode', async () => {
    const csv = 'sku_id,sale_date,qty,colour\nMILK_RUH-1,2026-11-10,1,red\n';
    const reply = await upload(csv);
    expect(reply.headers.get('x-ignored-fields')).toBe('colour');
    expect((await jobOf(reply)).result.ignored_columns).toEqual(['colour']);
    const strict = await upload(csv, { prefer: 'handling=strict' });
    expect([strict.status, strict.body.details]).toEqual([
      422,
      { colour: expect.stringContaining('is not known here') },
    ]);
  });
});

describe('an upload that is rejected at once', () => {
  it.each([
    ['without a column', 'sku_id,qty\nMILK_RUH-1,1\n', { sale_date: 'this column is missing' }],
    ['misspelt', 'sku,sale_date,qty\n', { sku_id: 'this column is missing: is it the one called sku?' }],
    ['with a column twice', 'sku_id,sale_date,qty,qty\n', { qty: 'this column comes twice' }],
    ['empty', '', { file: 'is empty' }],
    ['of blank lines', '\n\n\n', { file: 'is empty' }],
    [
      'in another encoding',
      Buffer.from('sku_id,sale_date,qty\n\xe4,1,1', 'latin1'),
      { file: /^the file is not in UTF-8/ },
    ],
  ])('422: %s', async (_what, csv, details) => {
    const reply = await upload(csv);
    expect([reply.status, reply.body.error]).toEqual([422, 'Validation failed']);
    for (const [field, message] of Object.entries(details)) expect(reply.body.details[field]).toMatch(message);
    expect(await sql`select from demand_uploads where job_id is null`).toEqual([]);
  });

  it('returns 422 for a form without the file, 400 for a body that is not CSV', async () => {
    const form = new FormData();
    form.append('files', new Blob(['x']), 'x.csv');
    const without = await ask('POST /analytics/sensy/upload', { raw: form });
    expect([without.status, without.body.details]).toEqual([422, { files: 'is not known here: did you mean file?' }]);
    const json = await ask('POST /analytics/sensy/upload', { body: { file: 'x' } });
    expect([json.status, json.body.error]).toEqual([400, 'Wrong content type']);
    const nothing = await ask('POST /analytics/sensy/upload');
    expect([nothing.status, nothing.body.details]).toEqual([422, { file: 'is required' }]);
  });

  it('returns 413 above 32 MB, with or without Content-Length, on an open connection', async () => {
    const row = 'MILK_RUH-1,2026-11-10,1\n';
    const large = `sku_id,sale_date,qty\n${row.repeat(Math.ceil((MAX_UPLOAD_BYTES + 64 * 1024) / row.length))}`;
    const announced = await upload(large);
    expect([announced.status, announced.body.details]).toEqual([
      413,
      { file: `must be at most ${MAX_UPLOAD_BYTES} bytes` },
    ]);
    expect(await sql`select from demand_upload_pieces`).toEqual([]);
  });

  it('returns 403 without the import grant, and for an account confined to a branch', async () => {
    const viewer = await testAccount(sql, organizationId, 'viewer');
    const confined = await testAccount(sql, organizationId, 'member', { branchId: shop.branchIds.get('RUH-1') });
    for (const { token } of [viewer, confined]) {
      const reply = await ask('POST /analytics/sensy/upload', {
        token,
        raw: 'sku_id,sale_date,qty\n',
        headers: { 'content-type': 'text/csv' },
      });
      expect(reply.status).toBe(403);
    }
  });
});

describe('an upload that fails later', () => {
  it('saves nothing of a file with an unclosed quote', async () => {
    const job = await jobOf(await upload('sku_id,sale_date,qty\nMILK_RUH-1,2026-11-10,1\n"SALT_RUH-1,2026-11-10,1\n'));
    expect([job.status, job.error]).toEqual([
      'failed',
      { code: 422, error: 'Validation failed', details: { file: expect.stringContaining('a quote is opened') } },
    ]);
    expect(await savedDays()).toEqual([]);
    expect(await sql`select from demand_upload_pieces`).toEqual([]);
  });

  it('saves nothing of a file with too many rows', async () => {
    const key = await openDemandUpload(sql, shop.clock, organizationId);
    const file = 'sku_id,sale_date,qty\nMILK_RUH-1,2026-11-10,1\n\nMILK_RUH-1,2026-11-11,1\nMILK_RUH-1,2026-11-12,1\n';
    await receiveDemandFile(sql, key, Readable.from([Buffer.from(file)]));
    const context = {
      organizationId,
      jobId: newId(),
      createdBy: null,
      progress: async () => undefined,
      signal: new AbortController().signal,
    };
    const input = { upload_id: key.id, lines: 4, actor: SYSTEM_ACTOR };
    await expect(runUpload({ sql, clock: shop.clock, maxRows: 2 }, input, context)).rejects.toMatchObject({
      status: 413,
      details: { file: 'at most 2 rows' },
    });
    expect(await savedDays()).toEqual([]);
    expect(await sql`select from demand_upload_pieces`).toEqual([]);
  });
});

it('accepts at most four concurrent files per organization', async () => {
  const now = shop.clock.now();
  for (let number = 0; number < 4; number += 1) {
    await sql`insert into demand_uploads (organization_id, id, created) values (${organizationId}, gen_random_uuid(), ${now})`;
  }
  const reply = await upload('sku_id,sale_date,qty\n');
  expect([reply.status, reply.headers.get('retry-after'), reply.body]).toEqual([
    429,
    '10',
    { code: 429, error: 'Too many uploads', details: { limit: 4, retry_after_seconds: 10 } },
  ]);
  await sql`delete from demand_uploads where organization_id = ${organizationId}`;
});
