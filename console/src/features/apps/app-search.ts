export const STAGED_STATUSES = ['failed', 'pending', 'processed'] as const;

export type StagingSearch = {
  status?: (typeof STAGED_STATUSES)[number];
  /** An install. */
  app?: string;
  search?: string;
  page?: number;
};

/** Which setting of an install is to be looked at, and for a mapping which of the vendor's stores. */
export type AppSearch = { field?: string; store?: string };

export const STAGED_PER_PAGE = 50;
