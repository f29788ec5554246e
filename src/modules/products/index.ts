export type { ProductImage } from './product.ts';
export { retryCollisions } from './retry-collisions.ts';
export { productRoutes } from './routes.ts';
export { saveProducts } from './save-products.ts';
export { MAX_BULK_ITEMS } from './schema.ts';
export { setProductImages } from './sql/images.ts';
export { findProductNames, type ProductName } from './sql/names.ts';
export { countProductsOf, forgetInDeletedProducts, type ProductReference } from './sql/references.ts';
export { PRODUCTS_LIST } from './write-products.ts';
