import type { RangeDays } from './range.ts';
import type { ConsumptionItem, Post, SensyItem } from './schema.ts';

/**
 * Sections that other parts know better. What is absent, or knows nothing yet, is made here from stock and sales (sensy, consumption), or empty
 * (posts). Each gives what the section shows, first things first; an empty list leaves the section out. A branch: of that one
 * and of nothing else. Each waits for one connection at a time, and the dashboard does not wait for it for ever.
 */
export type SectionProviders = {
  readSensySection?(
    organizationId: string,
    branchId: string | null,
    rangeDays: RangeDays,
  ): Promise<SensyItem[] | undefined>;
  readConsumptionSection?(
    organizationId: string,
    branchId: string | null,
    rangeDays: RangeDays,
  ): Promise<ConsumptionItem[] | undefined>;
  listPosts?(organizationId: string, now: Date): Promise<Post[]>;
};

/** How many entries a section of many has at most. */
export const SECTION_ITEMS = 20;
