/** What a vendor's word means by a table. `constructor` is in every object and in no table. */
export function findWord<Meaning>(
  table: Readonly<Record<string, Meaning>>,
  word: string | undefined,
): Meaning | undefined {
  return word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;
}
