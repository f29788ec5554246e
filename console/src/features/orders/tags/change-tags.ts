import type { Dukkan } from '@dukkan/sdk';

export const MAX_TAGS = 10;
export const MAX_TAG_CHARACTERS = 40;

/** Case only: the service also folds accents and letter variants, and refuses what repeats a tag in that way. */
const isSameTag = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export const hasTag = (tags: readonly string[], tag: string) => tags.some((one) => isSameTag(one, tag));

/** Reads the tags first: a list that was read earlier would remove what others added since. */
export async function changeTags(
  api: Dukkan,
  orderId: string,
  change: (tags: string[]) => string[],
): Promise<string[]> {
  const { tags } = await api.call('getOrderTags', { path: { id: orderId } });
  const next = change(tags);
  if (next.length === tags.length && next.every((tag, index) => tag === tags[index])) return tags;
  return (await api.call('setOrderTags', { path: { id: orderId }, body: { tags: next } })).data.tags;
}

export const adding = (tag: string) => (tags: string[]) => (hasTag(tags, tag) ? tags : [...tags, tag]);
export const removing = (tag: string) => (tags: string[]) => tags.filter((one) => !isSameTag(one, tag));
