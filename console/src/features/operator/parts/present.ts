import type { OperatorSearch } from '../search.ts';

type Given = { [Key in keyof OperatorSearch]?: OperatorSearch[Key] | undefined };

/** What is absent stays out of the address: nothing, an empty text, the first page. */
export function present(search: Given): OperatorSearch {
  return Object.fromEntries(
    Object.entries(search).filter(
      ([name, value]) => value !== undefined && value !== '' && (name !== 'page' || value !== 1),
    ),
  );
}
