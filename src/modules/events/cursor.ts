/**
 * A position in the feed as clients store it: sixteen digits of the tenant's own event count, so that cursors sort as text and reveal
 * nothing of other tenants, and the second in which the event was stamped, so that a read touches only the relevant weekly partitions
 * and an expired cursor is recognized.
 */
export type Cursor = { position: number; stampedSeconds: number };

const FORM = /^(\d{16})_(\d{1,12})$/;

export function formatCursor({ position, stampedSeconds }: Cursor): string {
  return `${String(position).padStart(16, '0')}_${stampedSeconds}`;
}

export function parseCursor(text: string): Cursor | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const position = Number(match[1]);
  if (!Number.isSafeInteger(position)) return undefined;
  return { position, stampedSeconds: Number(match[2]) };
}
