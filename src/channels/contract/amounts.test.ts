import { describe, expect, test } from 'vitest';
import { readerOf } from '../../platform/inbound/index.ts';
import { decimal, toText } from '../../platform/money.ts';
import { findCharged, findStoreId, foldOptions, placeAt } from '../contract.ts';

describe('an item with options', () => {
  const option = (name: string, quantity: string, unitPrice: string, options: ReturnType<typeof foldable>[] = []) =>
    foldable(name, quantity, unitPrice, options);
  function foldable(name: string, quantity: string, unitPrice: string, options: object[]) {
    return { name, quantity: decimal(quantity), unitPrice: decimal(unitPrice), options: options as [] };
  }

  test('has the exact price of one with all its options', () => {
    const chosen = [option('Burger', '2', '5.005', [option('Gherkin', '3', '0.1')]), option('Soda', '1', '0')];
    const { name, unitPrice } = foldOptions({ name: 'Combo', unitPrice: decimal('10') }, chosen);
    expect(name).toBe('Combo (2 × Burger, 6 × Gherkin, Soda)');
    expect(toText(unitPrice)).toBe('20.610');
    expect(foldOptions({ unitPrice: decimal('1') }, []).name).toBeUndefined();
  });

  test('throws Unreadable if its price exceeds the column, and shortens a long name', () => {
    const wide = '9'.repeat(15);
    expect(() => foldOptions({ unitPrice: decimal('1') }, [option('x', wide, wide)])).toThrow(
      expect.objectContaining({ code: 'unexpected' }),
    );
    const many = Array.from({ length: 300 }, () => option('x'.repeat(100), '1', '0'));
    expect(foldOptions({ name: 'y', unitPrice: decimal('1') }, many).name).toHaveLength(2000);
  });
});

test('selects the fewest optional charges that yield the total', () => {
  const [tip, tax] = [decimal('2'), decimal('0')];
  expect(findCharged(decimal('10'), decimal('10'), [tip, tax])).toEqual([false, false]);
  expect(findCharged(decimal('12'), decimal('10'), [tip, tax])).toEqual([true, false]);
  expect(findCharged(decimal('12.02'), decimal('10'), [tip, tax])).toEqual([true, false]);
  expect(findCharged(decimal('13'), decimal('10'), [tip, tax])).toBeUndefined();
});

test('finds the store id that the settings name, also for names such as constructor', () => {
  expect(findStoreId({ branches: { b: 'x' } }, ['a', 'b'])).toBe('b');
  expect(findStoreId({ branches: {} }, [undefined, 'a', 'constructor'])).toBe('a');
  expect(findStoreId({}, [undefined])).toBeUndefined();
});

test('drops invalid coordinates', () => {
  const at = (latitude: unknown, longitude: unknown) => placeAt(readerOf(latitude), readerOf(longitude));
  expect(at(24.7, '46.6')).toEqual({ latitude: 24.7, longitude: 46.6 });
  for (const [latitude, longitude] of [
    [0, 0],
    [91, 5],
    ['', 5],
    [null, 5],
    [{}, []],
    ['north', 5],
    ['1e400', 5],
  ]) {
    expect(at(latitude, longitude)).toEqual({});
  }
});
