export const PRODUCT_SORTS = [
  'created',
  '-created',
  'updated',
  '-updated',
  'name_en',
  '-name_en',
  'name_ar',
  '-name_ar',
  'average_price',
  '-average_price',
] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number];

export const SALES = ['on', 'off'] as const;

/** The state of the list, held in the address. */
export type ProductsSearch = {
  search?: string;
  brand?: string;
  category?: string;
  sale?: (typeof SALES)[number];
  sort?: ProductSort;
  /** Variants of one product are one row that opens. */
  variants?: 'grouped';
  page?: number;
};

export const MATRIX_SHOWS = ['stock', 'price'] as const;
export type MatrixShow = (typeof MATRIX_SHOWS)[number];
export type MatrixSearch = { search?: string; brand?: string; category?: string; show?: MatrixShow };

export type GroupsSearch = { search?: string; page?: number };
