import type { Post } from '../schema.ts';
import type { SectionContext } from '../section-context.ts';
import { readActivity } from './activity.ts';
import { readAlerts } from './alerts.ts';
import { readApps } from './apps.ts';
import { readConsumption } from './consumption.ts';
import { readProducts } from './products.ts';
import type { SectionName } from './section-names.ts';
import { readSensy } from './sensy.ts';
import { readSummary } from './summary.ts';
import { readTrends } from './trends.ts';

/** An empty list leaves the section out. */
export type SectionReader = (context: SectionContext) => Promise<unknown>;
export type SectionReaders = Readonly<Record<SectionName, SectionReader>>;

/** The operator's announcements to an organization and its branches, which belong to another module. */
export type ListPosts = (organizationId: string, now: Date) => Promise<Post[]>;

export function createSectionReaders(listPosts: ListPosts): SectionReaders {
  return {
    summary: readSummary,
    trends: readTrends,
    apps: readApps,
    alerts: readAlerts,
    activity: readActivity,
    sensy: readSensy,
    consumption: readConsumption,
    products: readProducts,
    posts: ({ scope, now }) => listPosts(scope.organizationId, now),
  };
}
