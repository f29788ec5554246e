/** Where the provider redirects the customer's browser afterwards. */
export const returnPath = '/api/v1/payments/return';
