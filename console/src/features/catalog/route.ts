import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, withoutAbsent, wordIn } from '../../platform/index.ts';
import {
  type GroupsSearch,
  MATRIX_SHOWS,
  type MatrixSearch,
  PRODUCT_SORTS,
  type ProductsSearch,
  SALES,
} from './searches.ts';

type Parameters = Record<string, unknown>;
const getParentRoute = () => insideRoute;
const searchIn = (search: Parameters) => textIn(search, 'search')?.slice(0, 200);
const groupsSearch = (search: Parameters): GroupsSearch =>
  withoutAbsent({ search: searchIn(search), page: pageIn(search) });

export const catalogRoutes = [
  createRoute({
    getParentRoute,
    path: '/products',
    validateSearch: (search: Parameters): ProductsSearch =>
      withoutAbsent({
        search: searchIn(search),
        brand: textIn(search, 'brand'),
        category: textIn(search, 'category'),
        sale: wordIn(search, 'sale', SALES),
        sort: wordIn(search, 'sort', PRODUCT_SORTS),
        variants: wordIn(search, 'variants', ['grouped']),
        page: pageIn(search),
      }),
    component: lazyRouteComponent(() => import('./products/products-page.tsx'), 'ProductsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/products/import',
    component: lazyRouteComponent(() => import('./import/import-page.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/products/$ivId',
    component: lazyRouteComponent(() => import('./products/product-page.tsx'), 'ProductPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/matrix',
    validateSearch: (search: Parameters): MatrixSearch =>
      withoutAbsent({
        search: searchIn(search),
        brand: textIn(search, 'brand'),
        category: textIn(search, 'category'),
        show: wordIn(search, 'show', MATRIX_SHOWS),
      }),
    component: lazyRouteComponent(() => import('./matrix/matrix-page.tsx'), 'MatrixPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/brands',
    validateSearch: groupsSearch,
    component: lazyRouteComponent(() => import('./groups/groups-page.tsx'), 'BrandsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/categories',
    validateSearch: groupsSearch,
    component: lazyRouteComponent(() => import('./groups/groups-page.tsx'), 'CategoriesPage'),
  }),
] as const;
