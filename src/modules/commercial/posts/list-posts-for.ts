import type { Queryable } from '../../../platform/database/index.ts';
import { listVisiblePosts } from './sql.ts';

const SHOWN = 20;

/** A post as its audience sees it. */
export type PublishedPost = {
  id: string;
  title_en: string;
  title_ar: string;
  body_en: string;
  body_ar: string;
  published_at: string;
};

/** Posts that an organization sees now, newest first, without the rest of their audience. */
export async function listPostsFor(sql: Queryable, organizationId: string, now: Date): Promise<PublishedPost[]> {
  const rows = await listVisiblePosts(sql, organizationId, now, SHOWN);
  return rows.map(({ id, title_en, title_ar, body_en, body_ar, visible_from }) => ({
    id,
    title_en,
    title_ar,
    body_en,
    body_ar,
    published_at: visible_from.toISOString(),
  }));
}
