/** Latin, Arabic and Persian digits, with a point or an Arabic decimal sign. */
export function readNumber(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/٫/g, '.')
    .replace(/−/g, '-')
    .replace(/[٬,\s]/g, '');
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined;
}
