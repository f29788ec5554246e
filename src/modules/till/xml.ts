/**
 * XML written in its canonical form (C14N 1.1) from the start: no white space between elements, no empty-element tags, one
 * attribute at most. What is hashed is then the text itself.
 */
export function element(name: string, ...children: string[]): string {
  return `<${name}>${children.join('')}</${name}>`;
}

/** The attribute is ours, never a caller's: it is written as it stands. */
export function textElement(name: string, text: string, attribute?: `${string}="${string}"`): string {
  return `<${name}${attribute === undefined ? '' : ` ${attribute}`}>${escaped(text)}</${name}>`;
}

// What XML has no way to write at all, and line breaks, tabs and the C1 controls, which canonical forms treat each in its own way.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const UNWRITABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/g;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The text as a document can hold it. */
export function writable(text: string): string {
  return text.toWellFormed().replace(UNWRITABLE, ' ');
}

function escaped(text: string): string {
  return writable(text).replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);
}
