import type { Queryable } from '../../platform/database/index.ts';
import { type PostShape, postShape } from './schema.ts';
import { listVisiblePosts } from './sql.ts';

const SHOWN = 20;

/** What an organization is told now, the newest first. Whom else it is for is no business of theirs. */
export async function listPostsFor(
  sql: Queryable,
  organizationId: string,
  now: Date,
): Promise<Omit<PostShape, 'audience'>[]> {
  const rows = await listVisiblePosts(sql, organizationId, now, SHOWN);
  return rows.map((row) => {
    const { audience: _audience, ...post } = postShape(row);
    return post;
  });
}
