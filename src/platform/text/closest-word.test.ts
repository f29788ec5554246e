import { describe, expect, it } from 'vitest';
import { findClosestWord } from './closest-word.ts';

const ORDER_FIELDS = [
  'order_code',
  'source',
  'destination',
  'currency',
  'notes',
  'fulfillment_status',
  'payment_status',
  'order_status',
  'total_amount',
  'discounts_amount',
  'customer_phone',
  'skus',
];

describe('findClosestWord', () => {
  it.each([
    ['lsit', ['list', 'name', 'create'], 'list'],
    ['nam', ['list', 'name', 'create'], 'name'],
    ['listing', ['list', 'name', 'create'], 'list'],
    ['limt', ['page', 'limit', 'search'], 'limit'],
    ['serach', ['page', 'limit', 'search'], 'search'],
    ['fone', ['phone', 'email'], 'phone'],
    ['nmae_en', ['name_ar', 'name_en', 'email'], 'name_en'],
    ['nme', ['iv_id', 'name_en', 'name_ar'], 'name_en'],
    ['qty', ['price', 'current_qty'], 'current_qty'],
    ['id', ['valid', 'iv_id'], 'iv_id'],
    ['latitude', ['lon', 'lat'], 'lat'],
    ['files', ['file'], 'file'],
    ['order.craeted', ['order.created', 'order.updated'], 'order.created'],
    ['created', ['order.updated', 'order.created'], 'order.created'],
    ['status', ORDER_FIELDS, 'order_status'],
    ['orderStatus', ORDER_FIELDS, 'order_status'],
    ['ORDER-STATUS', ORDER_FIELDS, 'order_status'],
    ['discount', ORDER_FIELDS, 'discounts_amount'],
    ['custmer_phone', ORDER_FIELDS, 'customer_phone'],
    ['phone', ORDER_FIELDS, 'customer_phone'],
  ])('for %s among %j returns %s', (typed, known, closest) => expect(findClosestWord(typed, known)).toBe(closest));

  it.each([
    ['colour', ORDER_FIELDS],
    ['colour', ['name_en', 'name_ar', 'url', 'working_hours']],
    ['town', ['lon', 'lat', 'city']],
    ['platform', ['lat', 'lon']],
    ['weight', ORDER_FIELDS],
    ['fees_amount_of_shop', ORDER_FIELDS],
    ['o', ORDER_FIELDS],
    ['cat', ['created_at', 'id']],
    ['xyzzy', ['list', 'name', 'create']],
    ['', ['a', 'b']],
    ['__', ['a', 'b']],
    ['x'.repeat(200), ['a', 'b']],
    ['any', []],
  ])('for %s among %j returns undefined', (typed, known) => expect(findClosestWord(typed, known)).toBeUndefined());
});
