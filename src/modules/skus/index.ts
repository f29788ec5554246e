export { changeSkus } from './change-skus.ts';
export { findBranchClashes, findProductClashes } from './find-clashes.ts';
export type { Clash } from './overlaps.ts';
export { skuRoutes } from './routes.ts';
export { schedulePrices } from './scheduled-prices/schedule-prices.ts';
export { type MatchedSku, matchSkus, type WantedSku } from './sql/match-skus.ts';
export {
  countOfBranch,
  countOfProduct,
  generateForBranches,
  generateForProducts,
  lockMatrixForBranches,
  lockMatrixForProducts,
  removeOfBranch,
  removeOfProducts,
} from './sql/matrix.ts';
export { listSaleItems, readVatRates, type SaleItem, type VatRates } from './sql/sale-items.ts';
export { listShelfItems, type ShelfItem } from './sql/shelves.ts';
export { countLowStock, listLowStock, listStock, type Stock } from './sql/stock.ts';
export { type Taken, takeStock } from './take-stock.ts';
