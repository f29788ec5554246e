/** A run of zeros that chance would bring less often than this is a shelf that stood empty. */
const IMPROBABLE = 0.05;

/**
 * Days without stock say nothing about demand: they become NaN in `quantities`, in place. Zeros that are likely anyway
 * (a SKU sold twice a month) stay, since taking them away would double its level. Resolves to the number of masked days.
 */
export function maskStockouts(quantities: Float64Array, stockoutDays: ArrayLike<number | boolean>): number {
  let stockedDays = 0;
  let stockedZeros = 0;
  let stockedSum = 0;
  for (let i = 0; i < quantities.length; i += 1) {
    const quantity = quantities[i] as number;
    if (stockoutDays[i] || !(quantity >= 0)) continue;
    stockedDays += 1;
    stockedSum += quantity;
    if (quantity === 0) stockedZeros += 1;
  }
  // With no day in stock there is nothing to hold the others against.
  if (stockedDays === 0) return 0;
  const zeroChance = (stockedZeros + 0.5) / (stockedDays + 1);
  const usual = stockedSum / stockedDays;
  let masked = 0;
  for (let i = 0; i < quantities.length; ) {
    if (!stockoutDays[i]) {
      i += 1;
      continue;
    }
    let end = i;
    let runSum = 0;
    while (end < quantities.length && stockoutDays[end]) {
      const quantity = quantities[end] as number;
      if (quantity > 0) runSum += quantity;
      end += 1;
    }
    // Something sold before the shelf was empty: less than usual is a remainder, more is demand all the same.
    const isRemainder = runSum > 0 && runSum < usual * (end - i);
    if (isRemainder || (runSum === 0 && zeroChance ** (end - i) < IMPROBABLE)) {
      for (; i < end; i += 1) {
        if ((quantities[i] as number) >= 0) masked += 1;
        quantities[i] = Number.NaN;
      }
    }
    i = end;
  }
  return masked;
}
