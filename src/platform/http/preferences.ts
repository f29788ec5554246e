/**
 * Whether the request has `Prefer: handling=strict`. RFC 7240: preferences are separated by commas, their parameters by semicolons;
 * names and values of `handling` are case-insensitive, a value may be quoted, and of a repeated preference the first counts.
 */
export function asksForStrictHandling(prefer: string | string[] | undefined): boolean {
  if (prefer === undefined) return false;
  for (const preference of partsOf([prefer].flat().join(','), ',')) {
    const [words = ''] = partsOf(preference, ';');
    const [name = '', value = ''] = partsOf(words, '=').map((word) => word.trim());
    if (name.toLowerCase() === 'handling') return unquoted(value).toLowerCase() === 'strict';
  }
  return false;
}

/** A separator inside quotes is part of the text. One pass: a regular expression with optional space everywhere backtracks. */
function partsOf(text: string, separator: ',' | ';' | '='): string[] {
  const parts: string[] = [];
  let isQuoted = false;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index];
    if (isQuoted && letter === '\\') index += 1;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function unquoted(value: string): string {
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return isQuoted ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
}
