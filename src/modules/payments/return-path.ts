/** Where a customer's browser goes once the provider is done with it. */
export const returnPath = '/api/v1/payments/return';
