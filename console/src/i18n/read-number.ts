const ARABIC_ZERO = 0x0660;
const PERSIAN_ZERO = 0x06f0;

/** Parses a typed number in Latin or Arabic digits; undefined for other text. */
export function readNumber(text: string): number | undefined {
  const latin = text
    .trim()
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - PERSIAN_ZERO))
    .replace(/[٬,](?=\d{3}(?:\D|$))/g, '')
    .replace(/[٫,]/, '.');
  if (!/^-?(?:\d+\.?\d*|\.\d+)$/.test(latin)) return undefined;
  return Number(latin);
}
