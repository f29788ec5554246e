import { isId } from '../platform/ids.ts';
import { UsageError } from './command.ts';
import { readWholeNumber } from './read-number.ts';

const DEFAULT_ROWS = 100;
const MAX_ROWS = 1_000;

/** A list comes in pages, by id: however many there are, a command holds one page of them. */
export const LISTING_OPTIONS = {
  limit: { value: 'N', meaning: `maximum number of rows, default ${DEFAULT_ROWS}, up to ${MAX_ROWS}` },
  after: { value: 'ID', meaning: 'continue after this row' },
} as const;

export type Listing = { limit: number; after: string | undefined };

export function readListing(options: { limit: string | undefined; after: string | undefined }): Listing {
  const { limit, after } = options;
  if (after !== undefined && !isId(after))
    throw new UsageError(`--after is the id of the last one seen, not "${after}"`);
  return { limit: limit === undefined ? DEFAULT_ROWS : readWholeNumber(limit, 'limit', 1, MAX_ROWS), after };
}

/** Reads one row more than is shown to find out whether there are more. */
export async function readPage<Row extends { id: string }>(
  { limit, after }: Listing,
  read: (listing: Listing) => Promise<Row[]>,
): Promise<{ rows: Row[]; next: string | null }> {
  const found = await read({ limit: limit + 1, after });
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

export function moreOf(next: string | null, command: string): { note?: string } {
  return next === null ? {} : { note: `There are more: dukkan ${command} --after ${next}` };
}
