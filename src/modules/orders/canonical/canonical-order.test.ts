import { describe, expect, it } from 'vitest';
import { canonicalLine } from './canonical-order.ts';

describe('the total of a line', () => {
  it.each([
    [1, 1.005, 'SAR', 1.01],
    [1, 1.255, 'KWD', 1.255],
    [1, 1.2555, 'KWD', 1.256],
    [3, 0.1, 'SAR', 0.3],
    [3, 33.335, 'JPY', 100],
    [0.5, 0.01, 'SAR', 0.01],
    [1e9, 1e12, 'SAR', 1e21],
    [7, 19.99, 'SAR', 139.93],
  ])('of %d x %d %s is %d', (quantity, price, currency, total) => {
    expect(canonicalLine({ product_id: 'P', sku_id: 'S', quantity, price }, currency)).toMatchObject({
      quantity,
      unit_price: price,
      total,
    });
  });
});
