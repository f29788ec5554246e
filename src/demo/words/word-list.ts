export type Names = readonly [en: string, ar: string];

/** A size in both languages, and its price as a multiple of the line's. */
export type Size = readonly [en: string, ar: string, factor: number];

export type Category = { names: Names; code: string; vat: 0 | 15 };

/** One line of goods of a brand; every size of it is a product. `generic` for medicines. */
export type Line = readonly [
  brand: string,
  en: string,
  ar: string,
  category: string,
  sizes: string,
  priceSar: number,
  generic?: string,
];

export type WordList = {
  brands: Readonly<Record<string, Names>>;
  categories: Readonly<Record<string, Category>>;
  sizes: Readonly<Record<string, readonly Size[]>>;
  lines: readonly Line[];
};
