/**
 * Text of strangers on its way to a terminal. What would move the cursor, colour the screen, answer in the reader's name
 * or turn the direction of what follows is shown by its number instead. A line break stays where `lines` says so.
 */
export function printable(text: string, options: { lines?: boolean } = {}): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) =>
      options.lines && character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
