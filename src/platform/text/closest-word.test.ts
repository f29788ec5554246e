import { describe, expect, it } from 'vitest';
import { findClosestName, findClosestWord } from './closest-word.ts';

describe('the closest word', () => {
  it.each([
    ['lsit', 'list'],
    ['nam', 'name'],
    ['listing', 'list'],
    ['xyzzy', undefined],
    ['', undefined],
  ])('%s: %s', (typed, closest) => {
    expect(findClosestWord(typed, ['list', 'name', 'create'])).toBe(closest);
  });
});

describe('the closest name', () => {
  it.each([
    ['status', ['notes', 'fulfillment_status', 'payment_status', 'order_status'], 'order_status'],
    ['orderStatus', ['order_code', 'order_status'], 'order_status'],
    ['nmae_en', ['name_ar', 'name_en', 'email'], 'name_en'],
    ['', ['a', 'b'], 'a'],
    ['x'.repeat(10_000), ['a', 'b'], 'a'],
    ['any', [], undefined],
  ])('%s among %j', (wrong, known, expected) => expect(findClosestName(wrong, known)).toBe(expected));
});
