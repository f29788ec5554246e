import { describe, expect, it } from 'vitest';
import { amountsOf, type PricedOrder } from './amounts.ts';

const order = (part: Partial<PricedOrder>): PricedOrder => ({
  lines: [],
  discount: 0,
  deliveryFee: 0,
  serviceFee: 0,
  ...part,
});
const line = (price: number, quantity = 1, vatPercent = 15) => ({ price, quantity, vatPercent });

describe('amounts of an order', () => {
  it.each([
    [
      'one rate with VAT included',
      order({ lines: [line(11.5)] }),
      'included',
      { subtotal: 11.5, vat: 1.5, total: 11.5 },
    ],
    ['VAT added', order({ lines: [line(10)] }), 'added', { subtotal: 10, vat: 1.5, total: 11.5 }],
    ['no VAT', order({ lines: [line(10)], deliveryFee: 5 }), 'none', { subtotal: 10, vat: 0, total: 15 }],
    [
      'zero-rated goods with a taxed fee',
      order({ lines: [line(18.75, 1, 0)], deliveryFee: 15 }),
      'included',
      { subtotal: 18.75, vat: 1.96, total: 33.75 },
    ],
    [
      'a discount over two rates',
      order({ lines: [line(115), line(100, 1, 0)], discount: 21.5 }),
      'included',
      { subtotal: 215, vat: 13.5, total: 193.5 },
    ],
    [
      'a price that no double holds exactly',
      order({ lines: [line(1.005, 1)] }),
      'none',
      { subtotal: 1.01, vat: 0, total: 1.01 },
    ],
    [
      'each line rounded',
      order({ lines: [line(0.333, 3), line(0.335, 1)] }),
      'none',
      { subtotal: 1.34, vat: 0, total: 1.34 },
    ],
  ] as const)('%s', (_name, priced, mode, amounts) => {
    expect(amountsOf(priced, mode, 2)).toEqual(amounts);
  });

  it('have the decimals of the currency', () => {
    expect(amountsOf(order({ lines: [line(1.2345, 2)] }), 'none', 3).total).toBe(2.469);
    expect(amountsOf(order({ lines: [line(99.5, 1)] }), 'none', 0).total).toBe(100);
  });
});
