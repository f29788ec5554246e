/**
 * A PostgreSQL array literal of values that need no quotes: ids, numbers, words, times. Cast it from text:
 * `${plainArray(ids)}::text::uuid[]`. The driver would search every element for characters to escape. Per webhook outcome, a row of
 * JSON took 7 us here and 17 in PostgreSQL; such arrays take 3.5 and 6.
 */
export function plainArray(values: readonly (string | number | Date | null)[]): string {
  return `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'null'))).join()}}`;
}
