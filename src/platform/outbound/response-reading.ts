const MAX_EXCERPT_BYTES = 1024;
const MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60;
const PLAIN_TEXT = /^[\t\n\x20-\x7e]*$/;
const WEEKDAY = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/**
 * The start of a body as text that PostgreSQL can store and a page can show: no NUL, no control characters except tab and
 * newline, no incomplete characters. Bytes that are not UTF-8 become U+FFFD.
 */
export function toExcerpt(body: Buffer): string {
  const head = body.subarray(0, MAX_EXCERPT_BYTES);
  // Fast path: nearly every body is short ASCII text, and the general path costs five times as much.
  const plain = head.toString('latin1');
  if (PLAIN_TEXT.test(plain)) return plain;
  // `stream` omits a character that the cut went through.
  const decoded = new TextDecoder().decode(head, { stream: body.length > head.length });
  const printable = decoded.replace(/[^\P{C}\t\n\p{Cf}]/gu, '');
  // U+FFFD takes three bytes for one, so the text can be longer than its source.
  const { read } = new TextEncoder().encodeInto(printable, new Uint8Array(MAX_EXCERPT_BYTES));
  return printable.slice(0, read);
}

/** Seconds to wait according to `Retry-After`, in either of its forms; undefined when absent or invalid. */
export function readRetryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_RETRY_AFTER_SECONDS);
  if (!WEEKDAY.test(value)) return undefined;
  // One of the three date formats of HTTP omits the zone; it is GMT.
  const atMs = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  if (Number.isNaN(atMs)) return undefined;
  const seconds = Math.ceil((atMs - now.getTime()) / 1000);
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}
