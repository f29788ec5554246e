export const DELIVERY_STATUSES = ['delivered', 'pending', 'dead', 'skipped'] as const;

/** The filter of the delivery log, and the open delivery. */
export type DeliverySearch = {
  status?: (typeof DELIVERY_STATUSES)[number];
  page?: number;
  delivery?: string;
};

export const DELIVERIES_PER_PAGE = 25;
