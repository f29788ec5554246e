import { describe, expect, it } from 'vitest';
import { chooseDrawing, drawSvg } from './pictures/choose-drawing.ts';
import { ean13, generateProducts } from './products.ts';
import { seededRandom } from './random.ts';
import { generateStock } from './stock.ts';
import { GROCERY_BRANCHES, PHARMACY_BRANCHES } from './words/branches.ts';
import { GROCERY } from './words/grocery.ts';
import { PHARMACY } from './words/pharmacy.ts';

const LISTS = [
  { name: 'pharmacy', words: PHARMACY, branches: PHARMACY_BRANCHES },
  { name: 'grocery', words: GROCERY, branches: GROCERY_BRANCHES },
];

describe.each(LISTS)('the $name word list', ({ words, branches }) => {
  const products = generateProducts(words, '7201', seededRandom(1));

  it('makes the same products from the same seed', () => {
    expect(generateProducts(words, '7201', seededRandom(1))).toEqual(products);
  });

  it('makes some hundred products with both names, a price and a barcode, none twice', () => {
    expect(products.length).toBeGreaterThan(350);
    for (const product of products) {
      expect(product.name_en).toMatch(/^[\p{Script=Latin}\d]/u);
      expect(product.name_ar).toMatch(/^\p{Script=Arabic}/u);
      expect(product.name_en).not.toMatch(/\p{Script=Arabic}|\s\s|\s$/u);
      expect(product.average_price).toBeGreaterThan(0);
      expect(Number((product.average_price * 100).toFixed(6)) % 5).toBe(0);
    }
    for (const field of ['iv_id', 'name_en', 'name_ar', 'barcode'] as const) {
      expect(new Set(products.map((product) => product[field])).size).toBe(products.length);
    }
  });

  it('uses every word that it has', () => {
    const used = (place: 0 | 3 | 4) => new Set<string>(words.lines.map((line) => line[place]));
    expect(Object.keys(words.brands).filter((key) => !used(0).has(key))).toEqual([]);
    expect(Object.keys(words.categories).filter((key) => !used(3).has(key))).toEqual([]);
    expect(Object.keys(words.sizes).filter((key) => !used(4).has(key))).toEqual([]);
  });

  it('has a drawing of shapes alone for every product, shared by those that look alike', () => {
    const drawings = new Set(products.map((product) => drawSvg(chooseDrawing(product))));
    expect(drawings.size).toBeGreaterThan(25);
    expect(drawings.size).toBeLessThan(80);
    for (const drawing of drawings) {
      expect(drawing).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 240 240">/);
      expect(drawing).not.toMatch(/<(?!\/?(?:svg|g|rect|circle|ellipse|path)\b)|style|href|undefined|NaN/);
    }
  });

  it('stocks every branch, a tenth of it low', () => {
    const ivIds = branches.map((branch) => branch.iv_id);
    const stock = generateStock(products, ivIds, seededRandom(1));
    expect(stock).toHaveLength(products.length * branches.length);
    const low = stock.filter((sku) => sku.current_qty <= sku.reorder_threshold).length / stock.length;
    expect(low).toBeGreaterThan(0.06);
    expect(low).toBeLessThan(0.14);
  });
});

describe('ean13', () => {
  it.each(['4006381333931', '5901234123457', '9780201379624', '0000000000000'])('ends %s as printed', (barcode) => {
    expect(ean13(barcode.slice(0, 12))).toBe(barcode);
  });
});
