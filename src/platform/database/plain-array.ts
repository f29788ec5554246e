/**
 * A PostgreSQL array literal of values that need no quotes: ids, numbers, words, times. Cast it from text:
 * `${plainArray(ids)}::text::uuid[]`. The driver would search every element for characters to escape. Per webhook outcome, a row of
 * JSON took 7 us here and 17 in PostgreSQL; such arrays take 3.5 and 6.
 */
export function plainArray(values: readonly (string | number | boolean | Date | null)[]): string {
  return `{${values.map((value) => (value instanceof Date ? value.toISOString() : (value ?? 'null'))).join()}}`;
}

const NEEDS_ESCAPE = /["\\]/;

/**
 * A PostgreSQL array literal of any texts: `${textArray(names)}::text::text[]`. An element that is an array itself is passed as its literal
 * and cast by the statement. Rows of webhook deliveries from such arrays take 2.8 us of PostgreSQL each, by `json_to_recordset` 11.
 */
export function textArray(values: readonly (string | null)[]): string {
  return `{${values.map(quoted).join()}}`;
}

function quoted(value: string | null): string {
  if (value === null) return 'null';
  return `"${NEEDS_ESCAPE.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`;
}
