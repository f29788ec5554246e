const ARABIC_ZERO = 0x0660;

/** Riyals as typed, in either script: `1,250.50`, `١٢٥٠٫٥٠`. Undefined unless it is a whole number of halalas. */
export function readAmount(typed: string): number | undefined {
  const amount = readPrice(typed);
  return amount !== undefined && amount > 0 ? amount : undefined;
}

/** The same, with zero. */
export function readPrice(typed: string): number | undefined {
  const text = typed
    .trim()
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO))
    .replace(/٫/g, '.')
    .replace(/[,٬\s]/g, '');
  if (!/^\d{1,10}(?:\.\d{1,2})?$/.test(text)) return undefined;
  return Number(text);
}
