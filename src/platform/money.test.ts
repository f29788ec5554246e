import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as money from './money.ts';

/** Reference implementation with fractions of bigints: slow and simple. */
type Fraction = { above: bigint; below: bigint };
const fractionOf = ({ units, scale }: money.Decimal): Fraction => ({ above: units, below: 10n ** BigInt(scale) });
const isEqual = (one: Fraction, other: Fraction) => one.above * other.below === other.above * one.below;
const abs = (value: bigint) => (value < 0n ? -value : value);

const anyDecimal = fc.record({
  units: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
  scale: fc.integer({ min: 0, max: 12 }),
});
const digits = fc.integer({ min: 0, max: 8 });

describe('decimal', () => {
  it.each([
    ['0', 0n, 0],
    ['-0', 0n, 0],
    ['1.50', 150n, 2],
    ['-12.345', -12345n, 3],
    ['+7', 7n, 0],
    ['1e3', 1000n, 0],
    ['1.25e1', 125n, 1],
    ['5e-7', 5n, 7],
  ])('parses %s', (text, units, scale) => {
    expect(money.decimal(text)).toEqual({ units, scale });
  });

  it.each(['', ' ', '.5', '5.', '1,5', '0x10', 'NaN', 'Infinity', '--1', '1e1000', ' 1', '١٢', '9'.repeat(401)])(
    'refuses %j',
    (text) => {
      expect(money.findDecimal(text)).toBeUndefined();
      expect(() => money.decimal(text)).toThrow(RangeError);
    },
  );

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %s', (value) => {
    expect(() => money.decimal(value)).toThrow(RangeError);
  });

  it('reads a number as its shortest text and returns the same number', () => {
    const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(anyNumber, (value) => {
        expect(money.toNumber(money.decimal(value))).toBe(value + 0);
      }),
    );
  });

  it('returns the text it was read from', () => {
    fc.assert(
      fc.property(anyDecimal, (value) => {
        expect(money.decimal(money.toText(value))).toEqual(value);
      }),
    );
  });
});

describe('arithmetic', () => {
  it('adds, subtracts and multiplies exactly', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (one, other) => {
        const a = fractionOf(one);
        const b = fractionOf(other);
        const below = a.below * b.below;
        expect(
          isEqual(fractionOf(money.add(one, other)), { above: a.above * b.below + b.above * a.below, below }),
        ).toBe(true);
        expect(
          isEqual(fractionOf(money.subtract(one, other)), { above: a.above * b.below - b.above * a.below, below }),
        ).toBe(true);
        expect(isEqual(fractionOf(money.multiply(one, other)), { above: a.above * b.above, below })).toBe(true);
      }),
    );
  });

  it('sums in any order', () => {
    fc.assert(
      fc.property(fc.array(anyDecimal), (values) => {
        expect(money.compare(money.sum(values), money.sum([...values].reverse()))).toBe(0);
      }),
    );
  });

  it('compares as the reference does', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (one, other) => {
        const a = fractionOf(one);
        const b = fractionOf(other);
        const difference = a.above * b.below - b.above * a.below;
        expect(money.compare(one, other)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
    );
  });

  /** At most half a step off; exactly half a step only if the result is further from zero. */
  function expectNearest(result: money.Decimal, exact: Fraction, scale: number): void {
    expect(result.scale).toBe(scale);
    const step = 10n ** BigInt(scale);
    const below = abs(exact.below);
    const above = exact.below < 0n ? -exact.above : exact.above;
    const off = abs(result.units * below - above * step) * 2n;
    expect(off <= below).toBe(true);
    if (off === below) expect(abs(result.units) * below > abs(above) * step).toBe(true);
  }

  it('rounds and divides to the nearest value, half away from zero', () => {
    fc.assert(
      fc.property(anyDecimal, digits, (value, scale) => {
        expectNearest(money.round(value, scale), fractionOf(value), scale);
      }),
    );
    const divisor = anyDecimal.filter(({ units }) => units !== 0n);
    fc.assert(
      fc.property(anyDecimal, divisor, digits, (one, other, scale) => {
        const a = fractionOf(one);
        const b = fractionOf(other);
        expectNearest(money.divide(one, other, scale), { above: a.above * b.below, below: a.below * b.above }, scale);
      }),
    );
    expect(() => money.divide(money.decimal(1), money.ZERO, 2)).toThrow(RangeError);
  });

  it.each([
    ['1.005', 2, '1.01'],
    ['-1.005', 2, '-1.01'],
    ['2.5', 0, '3'],
    ['-0.004', 2, '0.00'],
    ['7', 3, '7.000'],
  ])('rounds %s to %i digits: %s', (text, scale, rounded) => {
    expect(money.toText(money.round(money.decimal(text), scale))).toBe(rounded);
  });
});

describe('currencies', () => {
  it.each([
    ['SAR', 2],
    ['USD', 2],
    ['KWD', 3],
    ['IQD', 3],
    ['bhd', 3],
    ['JPY', 0],
    ['CLF', 4],
    ['ZZZ', 2],
  ])('%s has %i digits', (currency, count) => {
    expect(money.currencyDigits(currency)).toBe(count);
  });

  it('converts to minor units and back', () => {
    expect(money.toMinorUnits(money.decimal(1.255), 'KWD')).toBe(1255n);
    expect(money.toMinorUnits(money.decimal(1.255), 'SAR')).toBe(126n);
    expect(money.toMinorUnits(money.decimal('12.5'), 'JPY')).toBe(13n);
    const anyUnits = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
    fc.assert(
      fc.property(anyUnits, fc.constantFrom('SAR', 'KWD', 'JPY', 'CLF'), (units, currency) => {
        expect(money.toMinorUnits(money.fromMinorUnits(units, currency), currency)).toBe(units);
      }),
    );
  });

  it('multiplies quantity and price exactly', () => {
    const anyPrice = fc.oneof(
      fc.integer({ min: -1_000_000, max: 1_000_000 }).map((units) => units / 100),
      fc.integer({ min: -1_000_000, max: 1_000_000 }).map((units) => units / 1000),
      fc.double({ min: -1e15, max: 1e15, noNaN: true }),
    );
    const anyQuantity = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.double({ min: 0, max: 1e6, noNaN: true }));
    fc.assert(
      fc.property(anyQuantity, anyPrice, fc.constantFrom('SAR', 'KWD', 'JPY', 'CLF'), (quantity, price, currency) => {
        const exact = money.multiply(money.decimal(quantity), money.decimal(price));
        expect(money.lineTotal(quantity, price, currency) + 0).toBe(
          money.toNumber(money.roundToCurrency(exact, currency)) + 0,
        );
      }),
      { numRuns: 1000 },
    );
  });
});
