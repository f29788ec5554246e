/** In the order in which an answer has them. */
export const SECTIONS = [
  'summary',
  'trends',
  'apps',
  'alerts',
  'activity',
  'sensy',
  'consumption',
  'products',
  'posts',
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Those that were named, each once; all of them where none was. A name that is none of them is no mistake. */
export function readSections(raw: string | readonly string[] | undefined): readonly SectionName[] {
  const named = new Set([raw ?? []].flat());
  const chosen = SECTIONS.filter((name) => named.has(name));
  return chosen.length === 0 ? SECTIONS : chosen;
}
