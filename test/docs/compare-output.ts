/**
 * What is wrong with an output by the one that is shown. Both are JSON, one document or one a line: then they must have the
 * same keys and kinds of values, the same truth values, and the same texts where the one shown has no digit in it (those with
 * digits are times, ids and the like). `"...": "..."` among the keys says that there are more, `...` in a text that there is
 * anything. Any other output is compared by its lines, digits and ids aside.
 */
export function outputFaults(shown: string, actual: string): string[] {
  const shownDocuments = readDocuments(shown);
  if (shownDocuments === undefined) return lineFaults(shown, actual);
  const actualDocuments = readDocuments(actual);
  if (actualDocuments === undefined) return [`is not JSON: ${actual.slice(0, 300)}`];
  if (shownDocuments.length !== actualDocuments.length) {
    return [`${actualDocuments.length} answers where ${shownDocuments.length} are shown`];
  }
  return shownDocuments.flatMap((document, index) => shapeFaults(document, actualDocuments[index], `#${index + 1}`));
}

/** The statuses of refusals that an output shows, whole or as a line of their own. */
export function shownRefusals(shown: string): number[] {
  return [...shown.matchAll(/"code": ?(\d{3})\b|^(\d{3})$/gm)].map(([, code, line]) => Number(code ?? line));
}

/** One JSON document, or several that follow each other, with or without a line's end between them, as in a terminal. */
export function readDocuments(text: string): unknown[] | undefined {
  try {
    return splitDocuments(text).map((part) => JSON.parse(part));
  } catch {
    return undefined;
  }
}

/** Cut wherever every bracket is closed again. Texts that hold brackets are looked past. */
function splitDocuments(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/g)) {
    if ('[{'.includes(token)) depth += 1;
    else if ('}]'.includes(token)) depth -= 1;
    if (depth > 0) continue;
    parts.push(text.slice(start, index + token.length));
    start = index + token.length;
  }
  const rest = text.slice(start).trim();
  return rest === '' ? parts : [...parts, rest];
}

const MORE = '...';

function shapeFaults(shown: unknown, actual: unknown, at: string): string[] {
  const kinds = [kindOf(shown), kindOf(actual)] as const;
  if (kinds[0] !== kinds[1]) return [`${at} is ${kinds[1]}, shown as ${kinds[0]}: ${JSON.stringify(actual)}`];
  if (Array.isArray(shown) && Array.isArray(actual)) {
    if ((shown.length === 0) !== (actual.length === 0))
      return [`${at} has ${actual.length} items, shown ${shown.length}`];
    return shown.flatMap((item, index) => shapeFaults(item, actual[index] ?? actual[0], `${at}[${index}]`));
  }
  if (isRecord(shown) && isRecord(actual)) {
    const missing = Object.keys(shown).filter((key) => key !== MORE && !(key in actual));
    const unshown = MORE in shown ? [] : Object.keys(actual).filter((key) => !(key in shown));
    return [
      ...missing.map((key) => `${at}.${key} is not there`),
      ...unshown.map((key) => `${at}.${key} is there and not shown`),
      ...Object.keys(shown)
        .filter((key) => key !== MORE && key in actual)
        .flatMap((key) => shapeFaults(shown[key], actual[key], `${at}.${key}`)),
    ];
  }
  if (typeof shown === 'boolean' && shown !== actual) return [`${at} is ${actual}, shown as ${shown}`];
  if (typeof shown === 'string' && !isSameText(shown, String(actual))) {
    return [`${at} is ${JSON.stringify(actual)}, shown as ${JSON.stringify(shown)}`];
  }
  return [];
}

function isSameText(shown: string, actual: string): boolean {
  const pieces = shown.split(MORE);
  if (pieces.length === 1) return /\d/.test(shown) || shown === actual;
  let from = 0;
  for (const piece of pieces) {
    const found = actual.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return actual.startsWith(pieces[0] ?? '') && actual.endsWith(pieces.at(-1) ?? '');
}

function lineFaults(shown: string, actual: string): string[] {
  const expected = linesOf(shown).map(skeleton);
  const seen = linesOf(actual).map(skeleton);
  const differs = expected.findIndex((line, index) => !isSameText(line, seen[index] ?? ''));
  if (differs >= 0) return [`line ${differs + 1} is "${seen[differs] ?? ''}", shown as "${expected[differs]}"`];
  return seen.length > expected.length ? [`says more than is shown: ${seen[expected.length]}`] : [];
}

function skeleton(line: string): string {
  return line
    .trim()
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replaceAll(/\d+/g, '#');
}

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
