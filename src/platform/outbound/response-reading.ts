const MAX_EXCERPT_BYTES = 1024;
const MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60;
const PLAIN_TEXT = /^[\t\n\x20-\x7e]*$/;
const WEEKDAY = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/**
 * The start of a body as text that PostgreSQL stores and a page can show: no NUL, no control characters but tab and
 * newline, no half characters. Bytes that are not UTF-8 show as U+FFFD.
 */
export function toExcerpt(body: Buffer): string {
  const head = body.subarray(0, MAX_EXCERPT_BYTES);
  // Nearly every answer is a short plain word; the way below costs five times as much.
  const plain = head.toString('latin1');
  if (PLAIN_TEXT.test(plain)) return plain;
  // `stream` holds back a character that the cut went through, instead of showing a broken one.
  const decoded = new TextDecoder().decode(head, { stream: body.length > head.length });
  const printable = decoded.replace(/[^\P{C}\t\n\p{Cf}]/gu, '');
  // U+FFFD takes three bytes for one, so the text can outgrow the bytes it came from.
  const { read } = new TextEncoder().encodeInto(printable, new Uint8Array(MAX_EXCERPT_BYTES));
  return printable.slice(0, read);
}

/** Seconds to wait as `Retry-After` says, in either of its forms; nothing when absent or unreadable. */
export function readRetryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_RETRY_AFTER_SECONDS);
  if (!WEEKDAY.test(value)) return undefined;
  // One of the three date forms of HTTP leaves the zone out; it is GMT all the same.
  const atMs = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  if (Number.isNaN(atMs)) return undefined;
  const seconds = Math.ceil((atMs - now.getTime()) / 1000);
  return Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS);
}
