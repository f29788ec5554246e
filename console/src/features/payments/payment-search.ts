export const VIEWS = ['paylinks', 'transactions', 'providers'] as const;

/** Statuses of paylinks and of transactions: each list ignores the other's. */
export const PAYLINK_STATUSES = [
  'created',
  'authorized',
  'captured',
  'cancelled',
  'expired',
  'failed',
  'refunded',
] as const;
export const TRANSACTION_STATUSES = ['pending', 'paid', 'refunded', 'failed', 'cancelled'] as const;

export type PaymentSearch = {
  view?: (typeof VIEWS)[number];
  provider?: string;
  status?: (typeof PAYLINK_STATUSES | typeof TRANSACTION_STATUSES)[number];
  unmatched?: 'yes';
  /** The paylink or the transaction that is open. */
  open?: string;
  page?: number;
};

export const PAYMENTS_PER_PAGE = 50;
