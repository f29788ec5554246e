/** The name of the draft of a new product: a page knows whether there is one before it loads the form. */
export const PRODUCT_DRAFT = 'product';
