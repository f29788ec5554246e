/** Looks a vendor's word up in a table. Own properties only: `constructor` is inherited by every object. */
export function findWord<Meaning>(
  table: Readonly<Record<string, Meaning>>,
  word: string | undefined,
): Meaning | undefined {
  return word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;
}
