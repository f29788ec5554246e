/**
 * A payload that cannot be parsed. Sending it again would fail the same way: the message names the missing or invalid value
 * and its path for the operator.
 */
export class Unreadable extends Error {
  readonly code: string;
  /** Path in the payload, as `data.order.total`; empty for the whole payload. */
  readonly path: string;

  constructor(code: string, message: string, path = '') {
    super(message);
    this.code = code;
    this.path = path;
  }
}
