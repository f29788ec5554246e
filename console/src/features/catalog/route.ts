import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { insideRoute, pageIn, textIn, wordIn } from '../../platform/index.ts';
import {
  type GroupsSearch,
  MATRIX_SHOWS,
  type MatrixSearch,
  PRODUCT_SORTS,
  type ProductsSearch,
  SALES,
} from './searches.ts';

type Given = Record<string, unknown>;
const getParentRoute = () => insideRoute;
const searchIn = (given: Given) => textIn(given, 'search')?.slice(0, 200);
const present = (search: object) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
const groupsSearch = (given: Given): GroupsSearch => present({ search: searchIn(given), page: pageIn(given) });

export const catalogRoutes = [
  createRoute({
    getParentRoute,
    path: '/products',
    validateSearch: (given: Given): ProductsSearch =>
      present({
        search: searchIn(given),
        brand: textIn(given, 'brand'),
        category: textIn(given, 'category'),
        sale: wordIn(given, 'sale', SALES),
        sort: wordIn(given, 'sort', PRODUCT_SORTS),
        page: pageIn(given),
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
    validateSearch: (given: Given): MatrixSearch =>
      present({
        search: searchIn(given),
        brand: textIn(given, 'brand'),
        category: textIn(given, 'category'),
        show: wordIn(given, 'show', MATRIX_SHOWS),
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
