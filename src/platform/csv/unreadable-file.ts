/** The file cannot be read at all or any further, as opposed to one row being wrong. */
export class UnreadableFile extends Error {}
