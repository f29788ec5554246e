import type { Readings } from '../readings.ts';
import type { Post } from '../schema.ts';

/** What the operator announces, to branches as to everybody. */
export async function readPosts({ sources, scope, now }: Readings): Promise<Post[]> {
  return (await sources.providers.listPosts?.(scope.organizationId, now)) ?? [];
}
