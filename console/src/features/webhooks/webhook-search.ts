export const DELIVERY_STATUSES = ['delivered', 'pending', 'dead', 'skipped'] as const;

/** What of a subscription's log is seen, and which delivery is open. */
export type DeliverySearch = {
  status?: (typeof DELIVERY_STATUSES)[number];
  page?: number;
  delivery?: string;
};

export const DELIVERIES_PER_PAGE = 25;
