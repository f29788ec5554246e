import { expect } from 'vitest';
import { png } from '../../src/modules/branches/testing/images.ts';
import type { ReplyBody } from '../harness/index.ts';

type Expected = { action: string; id: string | ((reply: ReplyBody) => string | Promise<string>); fields?: string[] };
type Case = { call: string; body?: unknown; raw?: () => FormData; resource: string; expected: Expected[] };
const newRow = { action: 'create', id: (reply: ReplyBody) => reply.data.id };
/** Far ahead: a closure may not be in the past. */
export const closed = (day: number) => ({ from: `2099-03-0${day}`, until: `2099-03-0${day}` });
export const offer = (...sku_iv_ids: string[]) => ({
  sku_iv_ids,
  percent: -15,
  starts_at: '2099-02-08T00:00:00+03:00',
  ends_at: '2099-02-15T00:00:00+03:00',
});
const hours = (open: string) => ({ working_hours: { sunday: { open, close: '23:00' } } });
export const form = (fields: Record<string, string>, images: string[]) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  for (const name of images) data.append(name, new Blob([png()]), `${name}.png`);
  return data;
};

/** In this order: later cases build on earlier ones. A repeated body changes nothing and leaves no entry. */
export function auditedWrites(
  made: Readonly<Record<string, string>>,
  idOf: (table: string, ivId: string) => Promise<string>,
): Case[] {
  const given = (name: string) => () => made[name] ?? '';
  const update = (id: string, ...fields: string[]): Expected => ({ action: 'update', id: given(id), fields });
  return [
    { call: 'POST /branches', body: { iv_id: 'N1', name_en: 'x' }, resource: 'Branches', expected: [newRow] },
    {
      call: 'POST /branches',
      raw: () => form({ iv_id: 'N2' }, ['hero_image', 'photos']),
      resource: 'Branches',
      expected: [newRow],
    },
    {
      call: 'PUT /branches/B1',
      body: {
        status: 'Published',
        name_en: 'before',
        name_ar: 'فرع',
        location: { lat: 24.7, lon: 46.6 },
        time_zone: 'Asia/Dubai',
        ...hours('08:00'),
      },
      resource: 'Branches',
      expected: [update('B1', 'name_ar', 'status', 'location', 'working_hours', 'time_zone')],
    },
    {
      call: 'PUT /branches/B1',
      body: { status: 'Published', location: { lat: 24.7, lon: 46.6 }, ...hours('08:00') },
      resource: 'Branches',
      expected: [],
    },
    {
      call: 'PUT /branches/B1',
      raw: () => form({ email: 'b1@example.com' }, ['hero_image', 'banner_image', 'photos']),
      resource: 'Branches',
      expected: [update('B1', 'email', 'hero_image', 'banner_image', 'photos')],
    },
    {
      call: 'PUT /branches/B1',
      body: { hero_image: null, photos: [] },
      resource: 'Branches',
      expected: [update('B1', 'hero_image', 'photos')],
    },
    {
      call: 'PUT /branches/B1/working-hours',
      body: hours('09:30'),
      resource: 'Branches',
      expected: [update('B1', 'working_hours')],
    },
    { call: 'PUT /branches/B1/working-hours', body: hours('09:30'), resource: 'Branches', expected: [] },
    {
      call: 'POST /branches/B1/closures',
      body: closed(1),
      resource: 'Branches',
      expected: [update('B1', 'closures')],
    },
    {
      call: 'POST /branches/closures',
      body: { ...closed(2), branch_iv_ids: ['B1', 'B2'] },
      resource: 'Branches',
      expected: [update('B1', 'closures'), update('B2', 'closures')],
    },
    {
      call: 'DELETE /branches/B2/closures/{closure}',
      resource: 'Branches',
      expected: [update('B2', 'closures')],
    },
    {
      call: 'POST /branches/bulk',
      body: {
        mode: 'upsert',
        branches: [
          { iv_id: 'N3' },
          { iv_id: 'B2', active: false, name_en: 'before' },
          { iv_id: 'B3', name_en: 'before' },
          { iv_id: 'B4', status: 'Unheard-of' },
        ],
      },
      resource: 'Branches',
      expected: [{ action: 'create', id: () => idOf('branches', 'N3') }, update('B2', 'active')],
    },
    {
      call: 'DELETE /branches/B3?force=true',
      resource: 'Branches',
      expected: [{ action: 'delete', id: given('B3') }],
    },

    { call: 'POST /brands', body: { name_en: 'Almarai' }, resource: 'Products', expected: [newRow] },
    { call: 'POST /categories', body: { name_en: 'Dairy' }, resource: 'Products', expected: [newRow] },
    ...['brands', 'categories'].flatMap((group): Case[] => [
      {
        call: `PUT /${group}/{${group}}`,
        body: { name_en: 'after', name_ar: 'قبل' },
        resource: 'Products',
        expected: [update(group, 'name_en')],
      },
      {
        call: `PUT /${group}/{${group}}`,
        body: { name_en: 'after', name_ar: 'قبل' },
        resource: 'Products',
        expected: [],
      },
      { call: `DELETE /${group}/{${group}}`, resource: 'Products', expected: [{ action: 'delete', id: given(group) }] },
    ]),

    { call: 'POST /products', body: { iv_id: 'N1', name_en: 'x' }, resource: 'Products', expected: [newRow] },
    {
      call: 'PUT /products/code/P1',
      body: { average_price: 3, name_ar: 'تمر', is_enabled: true },
      resource: 'Products',
      expected: [update('P1', 'name_ar', 'average_price')],
    },
    { call: 'PUT /products/code/P1', body: { average_price: 3, name_ar: 'تمر' }, resource: 'Products', expected: [] },
    {
      call: 'PATCH /products/code/P1',
      body: { average_price: 4 },
      resource: 'Products',
      expected: [update('P1', 'average_price')],
    },
    {
      call: 'POST /products/code/P1/images',
      raw: () => form({ alt_en: 'Dates' }, ['file']),
      resource: 'Products',
      expected: [update('P1', 'images')],
    },
    {
      call: 'PUT /products/code/P1/images',
      body: { images: [] },
      resource: 'Products',
      expected: [update('P1', 'images')],
    },
    { call: 'PUT /products/code/P1/images', body: { images: [] }, resource: 'Products', expected: [] },
    {
      call: 'DELETE /products/code/P2/images/{image}',
      resource: 'Products',
      expected: [update('P2', 'images')],
    },
    {
      call: 'POST /products/bulk',
      body: {
        mode: 'upsert',
        products: [
          { iv_id: 'N2' },
          { iv_id: 'P2', barcode: '123', average_price: 2 },
          { iv_id: 'P3', average_price: 2 },
          { iv_id: 'P4', average_price: -1 },
        ],
      },
      resource: 'Products',
      expected: [{ action: 'create', id: () => idOf('products', 'N2') }, update('P2', 'barcode')],
    },
    {
      call: 'DELETE /products/code/P3?force=true',
      resource: 'Products',
      expected: [{ action: 'delete', id: given('P3') }],
    },

    {
      call: 'PATCH /skus/P1_B1',
      body: { price: 9.5, current_qty: 4, buffer: 0 },
      resource: 'Products',
      expected: [update('sku', 'price', 'current_qty')],
    },
    { call: 'PATCH /skus/P1_B1', body: { price: 9.5 }, resource: 'Products', expected: [] },
    {
      call: 'POST /skus/bulk',
      body: {
        mode: 'update',
        skus: [
          { iv_id: 'P1_B1', price: null, current_qty: 4 },
          { iv_id: 'P2_B1', is_enabled: false },
          { iv_id: 'P2_B1', reorder_threshold: 2 },
          { iv_id: 'P2_B2', is_enabled: true },
          { iv_id: 'X_X', price: 1 },
        ],
      },
      resource: 'Products',
      expected: [update('sku', 'price'), update('sku2', 'reorder_threshold', 'is_enabled')],
    },
    {
      call: 'POST /skus/price-changes',
      body: { percent: 10, filter: { branch_iv_ids: ['B1', 'B2'] }, dry_run: true },
      resource: 'Products',
      expected: [],
    },
    {
      call: 'POST /skus/price-changes',
      body: { percent: 10, filter: { branch_iv_ids: ['B1', 'B2'] } },
      resource: 'Products',
      // One entry for all SKUs of the change, with an id of its own.
      expected: [{ action: 'update', id: () => expect.any(String), fields: ['price'] }],
    },
    {
      call: 'POST /skus/scheduled-prices',
      body: offer('P1_B1', 'P1_B2'),
      resource: 'Products',
      expected: [{ ...newRow, fields: ['price'] }],
    },
    {
      call: 'DELETE /skus/scheduled-prices/{schedule}',
      resource: 'Products',
      expected: [{ action: 'delete', id: given('schedule'), fields: ['price'] }],
    },

    {
      call: 'POST /apps',
      body: { app_slug: 'woocommerce', settings: { webhook_secret: 'another secret' } },
      resource: 'Apps',
      expected: [newRow],
    },
    {
      call: 'PATCH /apps/{app}',
      body: { enabled: true, settings: { webhook_secret: 'a newer secret', client_id: 'ck' } },
      resource: 'Apps',
      expected: [update('app', 'settings.webhook_secret', 'settings.client_id')],
    },
    { call: 'PATCH /apps/{app}', body: { settings: { client_id: 'ck' } }, resource: 'Apps', expected: [] },
    {
      call: 'POST /apps/{app}/rotate-ingest-token',
      resource: 'Apps',
      expected: [{ action: 'rotate-secret', id: given('app'), fields: ['ingest_token'] }],
    },
    {
      call: 'PUT /staging/{payload}/payload',
      body: { payload: '{}' },
      resource: 'Apps',
      expected: [update('payload', 'payload')],
    },
    { call: 'POST /staging/{payload}/retry', resource: 'Apps', expected: [{ action: 'retry', id: given('payload') }] },
    { call: 'DELETE /staging/{payload}', resource: 'Apps', expected: [{ action: 'delete', id: given('payload') }] },
    { call: 'DELETE /apps/{app}', resource: 'Apps', expected: [{ action: 'delete', id: given('app') }] },

    {
      call: 'POST /webhook-subscriptions',
      body: { url: 'https://127.0.0.1:9/new' },
      resource: 'Webhooks',
      expected: [{ action: 'create', id: (reply) => reply.id }],
    },
    {
      call: 'PATCH /webhook-subscriptions/{subscription}',
      body: { event_types: ['order.created'], status: 'paused', description: '' },
      resource: 'Webhooks',
      expected: [update('subscription', 'event_types', 'status')],
    },
    {
      call: 'PATCH /webhook-subscriptions/{subscription}',
      body: { event_types: ['order.created'], status: 'paused' },
      resource: 'Webhooks',
      expected: [],
    },
    {
      call: 'POST /webhook-subscriptions/{subscription}/rotate-secret',
      resource: 'Webhooks',
      expected: [{ action: 'rotate-secret', id: given('subscription'), fields: ['secret'] }],
    },
    { call: 'POST /webhook-subscriptions/{subscription}/test', resource: 'Webhooks', expected: [] },
    {
      call: 'POST /webhook-subscriptions/{subscription}/recover',
      body: { since: '2026-01-01T00:00:00Z' },
      resource: 'Webhooks',
      expected: [{ action: 'recover', id: given('subscription') }],
    },
    {
      call: 'DELETE /webhook-subscriptions/{subscription}',
      resource: 'Webhooks',
      expected: [{ action: 'delete', id: given('subscription') }],
    },
  ];
}
