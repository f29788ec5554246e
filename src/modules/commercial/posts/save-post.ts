import type { Tx } from '../../../platform/database/index.ts';
import { parseInstant } from '../../../platform/http/instant.ts';
import { updatedAfter } from '../../../platform/http/preconditions.ts';
import { conflict, notFound, unprocessable } from '../../../platform/http/problem.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { type Author, OPERATOR_SCOPE, recordAudit, updateEntries } from '../../audit/index.ts';
import { readOrganizationNames } from '../../identity/index.ts';
import { type NewPostShape, type PostChangeShape, type PostShape, postShape } from './schema.ts';
import { countPosts, deletePost, insertPost, lockPost, type PostRow, updatePost } from './sql.ts';

/** The list has no pages. Concurrent writers may exceed this by one or two; the list has its own limit. */
export const MAX_POSTS = 500;
const AUDITED = [
  'title_en',
  'title_ar',
  'body_en',
  'body_ar',
  'from',
  'until',
  'audience',
] as const satisfies (keyof PostShape)[];

export async function createPost(tx: Tx, input: NewPostShape, author: Author, now: Date): Promise<PostRow> {
  const post: PostRow = {
    id: newId(),
    title_en: input.title_en,
    title_ar: input.title_ar,
    body_en: input.body_en ?? '',
    body_ar: input.body_ar ?? '',
    visible_from: parseInstant(input.from ?? '') ?? now,
    visible_until: untilOf(input.until) ?? null,
    audience: audienceOf(input.audience ?? 'all'),
    created: now,
    updated: now,
  };
  refuseBackwards(post);
  await requireKnownAudience(tx, post.audience);
  if ((await countPosts(tx)) >= MAX_POSTS) throw tooManyPosts();
  await insertPost(tx, post);
  await recordAudit(tx, OPERATOR_SCOPE, author, [{ action: 'create', resource: 'Settings', resourceId: post.id }], now);
  return post;
}

export async function changePost(
  tx: Tx,
  id: string,
  change: PostChangeShape,
  author: Author,
  now: Date,
  checkVersion: (before: PostRow) => void = () => {},
): Promise<PostRow> {
  const before = await getLocked(tx, id);
  checkVersion(before);
  const { from, until, audience, ...texts } = change;
  const after: PostRow = {
    ...before,
    ...texts,
    visible_from: parseInstant(from ?? '') ?? before.visible_from,
    visible_until: until === undefined ? before.visible_until : (untilOf(until) ?? null),
    audience: audience === undefined ? before.audience : audienceOf(audience),
  };
  refuseBackwards(after);
  if (audience !== undefined) await requireKnownAudience(tx, after.audience);
  const entries = updateEntries('Settings', AUDITED, [
    { id: before.id, before: postShape(before), after: postShape(after) },
  ]);
  if (entries.length === 0) return before;
  const saved = { ...after, updated: updatedAfter(before.updated, now) };
  await updatePost(tx, saved);
  await recordAudit(tx, OPERATOR_SCOPE, author, entries, now);
  return saved;
}

export async function removePost(tx: Tx, id: string, author: Author, now: Date): Promise<PostRow> {
  const post = await getLocked(tx, id);
  await deletePost(tx, post.id);
  await recordAudit(tx, OPERATOR_SCOPE, author, [{ action: 'delete', resource: 'Settings', resourceId: post.id }], now);
  return post;
}

export function postNotFound(id: string) {
  return notFound('Post not found', { id });
}

export function tooManyPosts() {
  return conflict('Too many posts', { limit: MAX_POSTS });
}

async function getLocked(tx: Tx, id: string): Promise<PostRow> {
  const post = isId(id) ? await lockPost(tx, id) : undefined;
  if (post === undefined) throw postNotFound(id);
  return post;
}

function untilOf(until: string | null | undefined): Date | undefined {
  return until === null || until === undefined ? undefined : parseInstant(until);
}

function audienceOf(audience: 'all' | string[]): string[] | null {
  return audience === 'all' ? null : [...new Set(audience.map((id) => id.toLowerCase()))];
}

function refuseBackwards({ visible_from, visible_until }: PostRow): void {
  if (visible_until !== null && visible_until <= visible_from) throw unprocessable({ until: 'must be after from' });
}

async function requireKnownAudience(tx: Tx, audience: string[] | null): Promise<void> {
  if (audience === null) return;
  const known = await readOrganizationNames(tx, audience);
  const index = audience.findIndex((id) => !known.has(id));
  if (index >= 0) throw unprocessable({ [`audience.${index}`]: `there is no organization ${audience[index]}` });
}
