/**
 * What a stranger's payload lacks to be understood. Sending the same again would end the same way: it waits for a person,
 * who is told what was looked for and where.
 */
export class Unreadable extends Error {
  readonly code: string;
  /** Where in the payload, as `data.order.total`; empty for all of it. */
  readonly path: string;

  constructor(code: string, message: string, path = '') {
    super(message);
    this.code = code;
    this.path = path;
  }
}
