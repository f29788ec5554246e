/** Plain query strings, `?status=received&page=2`, instead of the router's JSON. Every value is text; each route parses its own. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') written.set(name, String(value));
  }
  const text = written.toString();
  return text === '' ? '' : `?${text}`;
}

export type SearchChange<Search> = { [Key in keyof Search]?: Search[Key] | undefined };

/** Parameters without a value stay out of the address. */
export function withoutAbsent<Search>(search: SearchChange<Search>): Search {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  ) as Search;
}

export function textIn(search: Record<string, unknown>, name: string): string | undefined {
  const value = search[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** One of `words`; other values in the address are ignored. */
export function wordIn<Word extends string>(
  search: Record<string, unknown>,
  name: string,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === search[name]);
}

/** A page number; absent for the first, so that it stays out of the address. */
export function pageIn(search: Record<string, unknown>): number | undefined {
  const page = Number(search.page);
  return Number.isInteger(page) && page > 1 && page <= 100_000 ? page : undefined;
}
