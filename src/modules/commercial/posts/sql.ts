import type { Queryable, Tx } from '../../../platform/database/index.ts';

export type PostFields = {
  title_en: string;
  title_ar: string;
  body_en: string;
  body_ar: string;
  visible_from: Date;
  visible_until: Date | null;
  /** Ids of organizations; null means all. */
  audience: string[] | null;
};
export type PostRow = PostFields & { id: string; created: Date; updated: Date };

const columns = (sql: Queryable) => sql`
  id, title_en, title_ar, body_en, body_ar, visible_from, visible_until, audience, created, updated`;

export function listPostRows(sql: Queryable, cap: number): Promise<PostRow[]> {
  return sql<PostRow[]>`select ${columns(sql)} from posts order by visible_from desc, id desc limit ${cap}`;
}

export async function countPosts(sql: Queryable): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select count(*) as total from posts`;
  return row?.total ?? 0;
}

export function listVisiblePosts(sql: Queryable, organizationId: string, now: Date, cap: number): Promise<PostRow[]> {
  return sql<PostRow[]>`
    select ${columns(sql)} from posts
    where visible_from <= ${now} and (visible_until is null or visible_until > ${now})
      and (audience is null or ${organizationId} = any(audience))
    order by visible_from desc, id desc limit ${cap}`;
}

/** When a post next becomes visible or ceases to be. Null when nothing is planned. */
export async function readNextPostChange(sql: Queryable, now: Date): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`
    select least(min(visible_from) filter (where visible_from > ${now}),
                 min(visible_until) filter (where visible_until > ${now})) as at from posts`;
  return row?.at ?? null;
}

export async function insertPost(tx: Tx, post: PostRow): Promise<void> {
  await tx`
    insert into posts (id, title_en, title_ar, body_en, body_ar, visible_from, visible_until, audience, created, updated)
    values (${post.id}, ${post.title_en}, ${post.title_ar}, ${post.body_en}, ${post.body_ar}, ${post.visible_from},
            ${post.visible_until}, ${post.audience}::uuid[], ${post.created}, ${post.updated})`;
}

export async function lockPost(tx: Tx, id: string): Promise<PostRow | undefined> {
  const [row] = await tx<PostRow[]>`select ${columns(tx)} from posts where id = ${id} for update`;
  return row;
}

export async function updatePost(tx: Tx, post: PostRow): Promise<void> {
  await tx`
    update posts set title_en = ${post.title_en}, title_ar = ${post.title_ar}, body_en = ${post.body_en},
      body_ar = ${post.body_ar}, visible_from = ${post.visible_from}, visible_until = ${post.visible_until},
      audience = ${post.audience}::uuid[], updated = ${post.updated}
    where id = ${post.id}`;
}

export async function deletePost(tx: Tx, id: string): Promise<void> {
  await tx`delete from posts where id = ${id}`;
}
