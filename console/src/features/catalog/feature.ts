import type { Feature } from '../../platform/index.ts';

const grant = 'read:Products';
const group = 'catalog';

export const catalogFeature: Feature = {
  navigation: [
    {
      to: '/products',
      title: { en: 'Products', ar: 'المنتجات' },
      group,
      icon: 'products',
      grant,
      keys: 'g p',
    },
    {
      to: '/matrix',
      title: { en: 'Stock and prices', ar: 'المخزون والأسعار' },
      group,
      icon: 'matrix',
      grant,
      keys: 'g m',
    },
    { to: '/brands', title: { en: 'Brands and categories', ar: 'العلامات والتصنيفات' }, group, icon: 'menu', grant },
  ],
  finder: { title: { en: 'Products', ar: 'المنتجات' }, grant, load: () => import('./find-products.ts') },
};
