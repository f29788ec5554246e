/** The file or the rest of it cannot be parsed, as opposed to one invalid row. */
export class UnreadableFile extends Error {}
