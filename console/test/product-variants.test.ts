import { describe, expect, it } from 'vitest';
import { groupVariants, searchTextOf, splitName, variantsOf } from '../src/ui/product-variants.ts';

const product = (name_en: string, name_ar = '', more: object = {}) => ({
  iv_id: name_en || name_ar,
  name_en,
  name_ar,
  ...more,
});
const grouped = (...names: string[]) =>
  groupVariants(names.map((name) => product(name))).map(({ products }) => products.map(({ name_en }) => name_en));

describe('the parts of a name', () => {
  it.each([
    ['Panadol 500 mg 24 tablets', 'Panadol', '500 mg, 24 tablets'],
    ['Panadol Extra, 48 Tablets', 'Panadol Extra', '48 Tablets'],
    ['Augmentin suspension 228 mg/5 ml, 70ml', 'Augmentin suspension', '228 mg/5 ml, 70ml'],
    ['Berain water 6 x 330 ml', 'Berain water', '6 x 330 ml'],
    ['Berain water 330ml×24', 'Berain water', '330ml×24'],
    ['Vitamin C 1000 mg 60s', 'Vitamin C', '1000 mg, 60s'],
    ['Cotton T-shirt - Black - XL', 'Cotton T-shirt', 'Black, XL'],
    ['Cotton T-shirt (Navy, L)', 'Cotton T-shirt', 'Navy, L'],
    ['Eggs pack of 30', 'Eggs', 'pack of 30'],
    ['Running shoe size 42', 'Running shoe', 'size 42'],
    ['بنادول إكسترا ٢٤ قرص', 'بنادول إكسترا', '٢٤ قرص'],
    ['كلافوكس معلق 228 ملجم، 70 مل', 'كلافوكس معلق', '228 ملجم, 70 مل'],
    ['أرز بسمتي 5 كجم', 'أرز بسمتي', '5 كجم'],
    ['قميص قطني، أسود', 'قميص قطني', 'أسود'],
  ])('%s', (name, base, label) => {
    expect(splitName(name)).toEqual({ base, label });
  });

  it.each([
    'Panadol Extra',
    'Centrum Silver 50+',
    'Shampoo 2 in 1',
    'Vitamin B 12',
    'Lipton tea green',
    'Cotton 100%',
    '7 Up',
    '24 tablets',
    '',
  ])('returns undefined for "%s"', (name) => {
    expect(splitName(name)).toBeUndefined();
  });
});

describe('groups of variants', () => {
  it('groups sizes, strengths and colours of one name', () => {
    expect(grouped('Panadol 500 mg 24 tablets', 'Milk', 'Panadol 500 mg 48 Tablets')).toEqual([
      ['Panadol 500 mg 24 tablets', 'Panadol 500 mg 48 Tablets'],
    ]);
    expect(grouped('Shirt, Black', 'Shirt, White', 'Shirt, White XL')).toHaveLength(1);
  });

  it('keeps other goods apart', () => {
    expect(grouped('Panadol 24 tablets', 'Panadol Extra 24 tablets')).toEqual([]);
    expect(grouped('Glucophage 1000 mg, 30 tablets', 'Glucophage XR 1000 mg, 30 tablets')).toEqual([]);
    expect(grouped('Lipton tea green 25 bags', 'Lipton tea black 25 bags')).toEqual([]);
    expect(grouped('Panadol', 'Panadol 24 tablets')).toEqual([]);
    // Two products of one name and one size: nothing distinguishes them.
    expect(grouped('Milk 1 L', 'Milk 1 l', 'Milk 2 L')).toEqual([]);
  });

  it('asks for one brand, one category, and names that agree in both languages', () => {
    const milk = (size: string, more: object) =>
      product(`Milk ${size}`, `حليب ${size === '1 L' ? '1 لتر' : '2 لتر'}`, more);
    expect(groupVariants([milk('1 L', { brand_id: 'a' }), milk('2 L', { brand_id: 'a' })])).toHaveLength(1);
    expect(groupVariants([milk('1 L', { brand_id: 'a' }), milk('2 L', { brand_id: 'b' })])).toEqual([]);
    expect(groupVariants([milk('1 L', { category_id: 'a' }), milk('2 L', { category_id: null })])).toEqual([]);
    expect(groupVariants([product('Milk 1 L', 'حليب 1 لتر'), product('Milk 2 L', 'لبن 2 لتر')])).toEqual([]);
    expect(groupVariants([product('', 'حليب 1 لتر'), product('', 'حليب ٢ لتر')])).toHaveLength(1);
  });

  it('sorts the variants of a product by size', () => {
    const sizes = ['Rice 10 kg', 'Rice 500 g', 'Rice 2 kg'].map((name) => product(name));
    const [first] = sizes;
    expect(first && variantsOf(first, sizes).map(({ name_en }) => name_en)).toEqual([
      'Rice 500 g',
      'Rice 2 kg',
      'Rice 10 kg',
    ]);
    expect(variantsOf(product('Sugar 1 kg'), sizes)).toEqual([]);
  });

  it('returns the beginning of the name to search for siblings', () => {
    expect(searchTextOf(product('Panadol Extra 500 mg, 24 tablets'))).toBe('Panadol Extra');
    expect(searchTextOf(product('', 'حليب طازج 1 لتر'))).toBe('حليب طازج');
    expect(searchTextOf(product('Panadol Extra'))).toBeUndefined();
  });
});
