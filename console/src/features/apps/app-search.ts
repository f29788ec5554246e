export const STAGED_STATUSES = ['failed', 'pending', 'processed'] as const;

export type StagingSearch = {
  status?: (typeof STAGED_STATUSES)[number];
  /** An install. */
  app?: string;
  search?: string;
  page?: number;
};

/** The setting to focus, and for a mapping the vendor's store. */
export type AppSearch = { field?: string; store?: string };

export const STAGED_PER_PAGE = 50;
