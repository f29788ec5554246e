import { describe, expect, it } from 'vitest';
import { directionOf, orderPieces } from './bidi-text.ts';

const drawn = (text: string, direction: 'ltr' | 'rtl') => orderPieces(text, direction).map((piece) => piece.text);

describe('the order of a line', () => {
  it('puts words of Arabic from right to left, and leaves their letters to the font', () => {
    expect(drawn('فرع العليا', 'rtl')).toEqual(['العليا', ' ', 'فرع']);
    expect(orderPieces('فرع', 'rtl')).toEqual([{ text: 'فرع', script: 'arabic' }]);
  });

  it('keeps numbers and Latin words from left to right inside Arabic', () => {
    expect(drawn('طريق 12211-7654 Riyadh City الرياض', 'rtl').join('')).toBe('الرياض Riyadh City 12211-7654 طريق');
  });

  it.each(['1,234,567.89', '37.50 (15%)', '2026-11-01', '300000000000003', 'INV-000042'])(
    'keeps %s as it is',
    (text) => {
      expect(drawn(text, 'ltr').join('')).toBe(text);
      expect(drawn(`${text} ريال`, 'rtl').join('')).toContain(text.split(' ')[0]);
      expect(drawn(text, 'rtl').join('')).toBe(text === '37.50 (15%)' ? '(15%) 37.50' : text);
    },
  );

  it('mirrors brackets of Arabic text', () => {
    expect(drawn('العليا (رقم 2)', 'rtl').join('')).toBe('(2 رقم) العليا');
    expect(drawn('VAT (15%)', 'ltr').join('')).toBe('VAT (15%)');
  });

  it('drops characters that have no glyph', () => {
    expect(drawn('a\u0000\u202eb\u200f\nc', 'ltr').join('')).toBe('ab c');
  });

  it('follows the first letter', () => {
    expect(directionOf('12 شارع', 'ltr')).toBe('rtl');
    expect(directionOf('12 Street', 'rtl')).toBe('ltr');
    expect(directionOf('12', 'rtl')).toBe('rtl');
  });
});
