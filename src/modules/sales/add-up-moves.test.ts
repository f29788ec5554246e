import { expect, test } from 'vitest';
import { addUpMoves, type SalesMove } from './add-up-moves.ts';

function move(by: 1 | -1, amount: number, fields: Partial<SalesMove> = {}): SalesMove {
  return {
    by,
    organization_id: '0193a1f0-7c00-7000-8000-000000000001',
    order_id: '0193a1f0-7c00-7000-8000-000000000002',
    position: 1,
    is_deleted: false,
    created_at: '2026-11-15T10:00:00.000Z',
    local_day: '2026-11-15',
    app_slug: 'api',
    branch_id: '00000000-0000-0000-0000-000000000000',
    customer_id: null,
    customer_name: null,
    customer_phone: null,
    customer_email: null,
    currency: 'SAR',
    is_cancelled: false,
    is_refunded: false,
    amount,
    line_products: ['P-1', 'P-1'],
    line_skus: ['S-1', 'S-1'],
    line_units: [1, 0.5],
    line_revenues: [amount, 0],
    line_firsts: [true, false],
    ...fields,
  };
}

test('adds decimals exactly, whatever their size', () => {
  const amounts = [0.1, 0.2, 0.000_001, 9_007_199_254_740.99, 1e21];
  const { days } = addUpMoves(amounts.map((amount) => move(1, amount)));
  expect(days).toMatchObject([{ orders: 5, sold: 5, revenue: '1000000009007199254741.290001', units: '7.5' }]);
});

test('an order counts once for a SKU with several lines, and a subtracted order leaves nothing', () => {
  const { days, products } = addUpMoves([move(1, 28.75), move(1, 1.1), move(-1, 1.1)]);
  expect(days).toMatchObject([{ orders: 1, sold: 1, revenue: '28.75', units: '1.5' }]);
  expect(products).toMatchObject([{ product_id: 'P-1', sku_id: 'S-1', orders: 1, revenue: '28.75', units: '1.5' }]);
});

test('cancelled and refunded orders count as orders only', () => {
  const { days } = addUpMoves([move(1, 5, { is_cancelled: true }), move(1, 7, { is_refunded: true })]);
  expect(days).toMatchObject([{ orders: 2, sold: 0, cancelled: 1, refunded: 1, revenue: '0', units: '0' }]);
});
