import type { ProductReference } from '../products/index.ts';

/** What products can be grouped by. Brands and categories are the same thing in every respect but these words. */
export type GroupKind = {
  table: 'brands' | 'categories';
  reference: ProductReference;
  /** In messages: Brand not found. */
  noun: 'Brand' | 'Category';
  nouns: 'Brands' | 'Categories';
  example: { name_en: string; name_ar: string };
};

export const BRANDS: GroupKind = {
  table: 'brands',
  reference: 'brand_id',
  noun: 'Brand',
  nouns: 'Brands',
  example: { name_en: 'Almarai', name_ar: 'المراعي' },
};

export const CATEGORIES: GroupKind = {
  table: 'categories',
  reference: 'category_id',
  noun: 'Category',
  nouns: 'Categories',
  example: { name_en: 'Dairy', name_ar: 'منتجات الألبان' },
};

export type Group = { id: string; name_en: string; name_ar: string; created: Date; updated: Date };

export function groupShape(group: Group) {
  return {
    id: group.id,
    name_en: group.name_en,
    name_ar: group.name_ar,
    created: group.created.toISOString(),
    updated: group.updated.toISOString(),
  };
}
