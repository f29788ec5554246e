import { DukkanError } from './error.ts';

/** Every list of the service: which member holds the rows. */
const ROWS = ['data', 'orders', 'items', 'events', 'leads'] as const;

type Envelope = Record<string, unknown>;

/** An answer without rows is thrown: taken for an empty list, it would make a program delete what it no longer sees. */
export function rowsOf(answer: unknown): unknown[] {
  const envelope = (answer ?? {}) as Envelope;
  for (const name of ROWS) {
    const rows = envelope[name];
    if (Array.isArray(rows)) return rows;
  }
  throw new DukkanError('The answer is not a list', { status: 200, reason: 'unreadable-answer' });
}

/**
 * The query of the page after this one, or nothing when it was the last. The service has four envelopes: `has_next` beside
 * the rows, `pagination` around the same, the portal's `{page, perPage, totalItems}`, and cursors; a list without any of
 * them is whole.
 */
export function nextPage(answer: unknown, query: Record<string, unknown>): Record<string, unknown> | undefined {
  const envelope = (answer ?? {}) as Envelope;
  if (envelope.has_more === true && typeof envelope.next_cursor === 'string') {
    // Nor would a cursor that does not move ever come to an end.
    return envelope.next_cursor === query.cursor ? undefined : { ...query, cursor: envelope.next_cursor };
  }
  const pager = (typeof envelope.pagination === 'object' && envelope.pagination) || envelope;
  const { page, has_next, perPage, totalItems } = pager as Envelope;
  if (typeof page !== 'number') return undefined;
  const goesOn =
    typeof perPage === 'number' && typeof totalItems === 'number' ? page * perPage < totalItems : has_next === true;
  // An empty page that promises another one would be asked for without end.
  return goesOn && rowsOf(answer).length > 0 ? { ...query, page: page + 1 } : undefined;
}
