/** Whether prices include VAT, VAT is added to them, or the order has none. */
export type TaxMode = 'included' | 'added' | 'none';

export type PricedLine = { price: number; quantity: number; vatPercent: number };
export type PricedOrder = {
  lines: readonly PricedLine[];
  discount: number;
  deliveryFee: number;
  serviceFee: number;
};
export type Amounts = { subtotal: number; vat: number; total: number };

/** Of fees, and of goods whose rate is unknown. */
export const STANDARD_PERCENT = 15;

/**
 * Calculated as the service does for a sale, in minor units: each line is rounded, VAT is computed once per rate from its lines after their
 * share of the discount. Fees have the standard rate.
 */
export function amountsOf(order: PricedOrder, mode: TaxMode, digits: number): Amounts {
  const unit = 10 ** digits;
  const minor = (amount: number) => BigInt(Math.round(amount * unit + 1e-6));
  const major = (amount: bigint) => Number(amount) / unit;
  const byRate = new Map<number, bigint>();
  const add = (percent: number, amount: bigint) => byRate.set(percent, (byRate.get(percent) ?? 0n) + amount);
  for (const { price, quantity, vatPercent } of order.lines) add(vatPercent, minor(price * quantity));
  const subtotal = sum([...byRate.values()]);
  const discount = minor(order.discount);
  const shares = apportion(discount, [...byRate.values()]);
  for (const [index, percent] of [...byRate.keys()].entries()) add(percent, -(shares[index] ?? 0n));
  const fees = minor(order.deliveryFee) + minor(order.serviceFee);
  add(STANDARD_PERCENT, fees);
  const vat = mode === 'none' ? 0n : sum(Array.from(byRate, ([percent, amount]) => vatOf(amount, percent, mode)));
  const total = subtotal - discount + fees + (mode === 'added' ? vat : 0n);
  return { subtotal: major(subtotal), vat: major(vat), total: major(total) };
}

/** Percentages have at most three decimals. */
function vatOf(amount: bigint, percent: number, mode: TaxMode): bigint {
  const rate = BigInt(Math.round(percent * 1000));
  return divideRounded(amount * rate, mode === 'included' ? 100_000n + rate : 100_000n);
}

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
const divideRounded = (above: bigint, below: bigint) => (2n * above + below) / (2n * below);

/** In proportion to the weights; units left after rounding down go to the largest remainders. */
function apportion(amount: bigint, weights: readonly bigint[]): bigint[] {
  const total = sum(weights);
  if (total === 0n) return weights.map(() => 0n);
  const shares = weights.map((weight) => (amount * weight) / total);
  const left = Number(amount - sum(shares));
  const remainders = weights.map((weight, index) => ({ index, remainder: (amount * weight) % total, weight }));
  const largest = remainders.toSorted((one, other) =>
    one.remainder === other.remainder ? Number(other.weight - one.weight) : one.remainder > other.remainder ? -1 : 1,
  );
  for (const { index } of largest.slice(0, left)) shares[index] = (shares[index] ?? 0n) + 1n;
  return shares;
}
