import { describe, expect, it, vi } from 'vitest';
import { withRestored } from '../src/features/till/cart.ts';
import { saveFields } from '../src/platform/save-fields.ts';
import { showPhone } from '../src/ui/contact-links.ts';

type Row = { updated: string; name: string; price: number };
const base: Row = { updated: '1', name: 'Dates', price: 10 };

const refusal = (message: string, status: number, details: object) =>
  Object.assign(new Error(message), { status, details });

/** A service that holds one row and refuses changes of an earlier version. */
function rowService(current: Row) {
  let row = current;
  return async (change: Partial<Row>, latest: Row): Promise<Row> => {
    if (latest.updated !== row.updated) {
      throw refusal('Precondition failed', 412, { current: row });
    }
    row = { ...row, ...change, updated: `${row.updated}+` };
    return row;
  };
}

describe('saveFields', () => {
  it('keeps what another user changed in other fields, without a question', async () => {
    const choose = vi.fn();
    const send = rowService({ updated: '2', name: 'Ajwa', price: 10 });
    const saved = await saveFields({ base, change: { price: 12 }, choose, send });
    expect(saved).toMatchObject({ name: 'Ajwa', price: 12 });
    expect(choose).not.toHaveBeenCalled();
  });

  it.each([
    ['mine', 12],
    ['theirs', 11],
  ] as const)('asks about a field that both changed: %s', async (choice, price) => {
    const asked: unknown[] = [];
    const choose = async (conflicts: unknown[]) => {
      asked.push(...conflicts);
      return choice;
    };
    const saved = await saveFields({
      base,
      change: { price: 12 },
      choose,
      send: rowService({ ...base, updated: '2', price: 11 }),
    });
    expect(saved.price).toBe(price);
    expect(asked).toEqual([{ field: 'price', mine: 12, theirs: 11 }]);
  });

  it('passes other refusals on', async () => {
    const send = () => Promise.reject(refusal('Duplicate barcode', 409, {}));
    await expect(saveFields({ base, change: { name: 'x' }, choose: vi.fn(), send })).rejects.toThrow(
      'Duplicate barcode',
    );
  });
});

it('restores removed lines of a cart, on top of what was added since', () => {
  const line = (sku: string, quantity: number) => ({ sku, name_en: sku, name_ar: sku, price: 1, quantity, stock: 9 });
  const restored = withRestored([line('a', 1), line('b', 2)], [line('b', 3), line('c', 1)]);
  expect(restored.map(({ sku, quantity }) => [sku, quantity])).toEqual([
    ['a', 1],
    ['b', 5],
    ['c', 1],
  ]);
});

it.each([
  ['0501234567', '+966 50 123 4567'],
  ['00966501234567', '+966 50 123 4567'],
  ['+966501234567', '+966 50 123 4567'],
  ['966501234567', '+966 50 123 4567'],
  ['٠٥٠١٢٣٤٥٦٧', '+966 50 123 4567'],
  ['+96650 123-4567', '+966 50 123 4567'],
  ['0097150123456', '+97150123456'],
  ['920000000', '920000000'],
  ['ask at the desk', 'ask at the desk'],
])('shows the telephone number %s as %s', (given, shown) => {
  expect(showPhone(given)).toBe(shown);
});
