export { qrOf } from './qr.ts';
export { tillRoutes } from './routes.ts';
export { issuePastInvoice, type PastSale, pastSale } from './sale-history.ts';
