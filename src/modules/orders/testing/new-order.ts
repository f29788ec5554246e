let counter = 0;

/** The required fields of a new order, with a unique source transaction. */
export function newOrder(fields: Record<string, unknown> = {}): Record<string, unknown> {
  counter += 1;
  return {
    source_transaction_id: `tx-${process.pid}-${counter}`,
    order_status: 'RECEIVED',
    fulfillment_status: 'None',
    skus: ['P-1_RUH'],
    products: [{ product_id: 'P-1', sku_id: 'P-1_RUH', name: 'Dates / تمر', quantity: 2, price: 10 }],
    total_amount: 23,
    vat_amount: 3,
    ...fields,
  };
}
