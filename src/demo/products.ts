import type { Random } from './random.ts';
import type { WordList } from './words/word-list.ts';

export type DemoProduct = {
  iv_id: string;
  name_en: string;
  name_ar: string;
  average_price: number;
  vat_value: number;
  barcode: string;
  brand: string;
  category: string;
  generic_id: string;
  is_enabled: boolean;
};

/** Saudi Arabia's prefix, then four digits of the shop that stand for the maker. */
const COUNTRY = '628';

/** Every size of every line, in the order of the list. */
export function generateProducts(words: WordList, maker: string, random: Random): DemoProduct[] {
  const numbers = new Map<string, number>();
  const products: DemoProduct[] = [];
  for (const [brand, en, ar, category, sizes, price, generic = ''] of words.lines) {
    const brandNames = named(words.brands, brand);
    const { code, vat } = named(words.categories, category);
    for (const [sizeEn, sizeAr, factor] of named(words.sizes, sizes)) {
      const number = (numbers.get(code) ?? 0) + 1;
      numbers.set(code, number);
      products.push({
        iv_id: `${code}-${String(number).padStart(4, '0')}`,
        name_en: inOne(brandNames[0], en, sizeEn),
        name_ar: inOne(brandNames[1], ar, sizeAr),
        average_price: shelfPrice(price * factor, random),
        vat_value: vat,
        barcode: ean13(`${COUNTRY}${maker}${String(products.length + 1).padStart(5, '0')}`),
        brand,
        category,
        generic_id: generic,
        is_enabled: !random.chance(0.02),
      });
    }
  }
  return products;
}

/** Prices end in a quarter, or in 95 halalas. */
function shelfPrice(priceSar: number, random: Random): number {
  const quarters = Math.max(1, Math.round(priceSar * (0.97 + random.next() * 0.06) * 4));
  return quarters % 4 === 0 && random.chance(0.5) ? (quarters * 25 - 5) / 100 : quarters / 4;
}

/** Some lines have no name beside their brand. */
function inOne(...words: string[]): string {
  return words.filter((word) => word !== '').join(' ');
}

/** With the digit that makes the weighted sum a multiple of ten. */
export function ean13(first12: string): string {
  const sum = [...first12].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${first12}${(10 - (sum % 10)) % 10}`;
}

function named<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = table[name];
  if (found === undefined) throw new Error(`the word list has no "${name}"`);
  return found;
}
