import type { Schemas } from '@dukkan/sdk';

type Priced = Pick<Schemas['CanonicalOrder'], 'lines' | 'amounts'>;

/** Many channels send none: then it is the sum of the lines with a price. */
export function subtotalOf({ lines, amounts }: Priced): number {
  if (amounts.subtotal !== 0) return amounts.subtotal;
  const thousandths = lines.reduce((sum, line) => sum + Math.round((line.total ?? 0) * 1000), 0);
  return thousandths / 1000;
}
