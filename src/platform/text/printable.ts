/**
 * Escapes untrusted text for a terminal: control characters and bidirectional marks, which could move the cursor, colour the
 * screen, inject input or reverse the text, become \\uXXXX. With `lines`, line breaks stay.
 */
export function printable(text: string, options: { lines?: boolean } = {}): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) =>
      options.lines && character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
