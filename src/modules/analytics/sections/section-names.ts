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

/** Maximum number of entries in a section. */
export const SECTION_ITEMS = 20;

/** The named sections, each once; all of them where no known one is named. An unknown name is ignored. */
export function parseSectionNames(raw: string | readonly string[] | undefined): readonly SectionName[] {
  const named = new Set([raw ?? []].flat());
  const chosen = SECTIONS.filter((name) => named.has(name));
  return chosen.length === 0 ? SECTIONS : chosen;
}
