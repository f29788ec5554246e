/**
 * An array in PostgreSQL's own writing, of values that need no quotes: ids, numbers, words, times. To be cast from text:
 * `${plainArray(ids)}::text::uuid[]`. The driver would look through every element for characters to escape. For each outcome
 * of a webhook, a row of JSON took 7 us here and 17 in PostgreSQL; in such arrays it takes 3.5 and 6.
 */
export function plainArray(values: readonly (string | number | Date | null)[]): string {
  return `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'null'))).join()}}`;
}
