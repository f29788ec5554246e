/** A synthetic order of the Orders API v0. */
export const ID = '405-1234567-7654321';
export const PATH = `/orders/v0/orders/${ID}`;
export const sar = (Amount: string) => ({ CurrencyCode: 'SAR', Amount });
export const ITEM = {
  ASIN: 'B000HONEY1',
  OrderItemId: '05015851154158',
  SellerSKU: 'HON-1',
  Title: 'Sidr honey',
  QuantityOrdered: 3,
  QuantityShipped: 0,
  ItemPrice: sar('100.00'),
  ItemTax: sar('13.04'),
  ShippingPrice: sar('12.00'),
  ShippingTax: sar('1.57'),
  PromotionDiscount: sar('10.00'),
};
export const MADE = {
  AmazonOrderId: ID,
  PurchaseDate: '2026-11-15T08:00:00Z',
  LastUpdateDate: '2026-11-15T08:30:00Z',
  OrderStatus: 'Unshipped',
  FulfillmentChannel: 'MFN',
  PaymentMethod: 'Other',
  PaymentMethodDetails: ['Standard', 'CreditCard'],
  MarketplaceId: 'A17E79C6D8DWNP',
  OrderType: 'StandardOrder',
  OrderTotal: sar('102.00'),
  ShippingAddress: { Name: 'Sara', AddressLine1: 'King Fahd Road', City: 'Riyadh', CountryCode: 'SA' },
  BuyerInfo: { BuyerName: 'Sara Al-Otaibi', BuyerEmail: 'relay@marketplace.amazon.sa' },
};
