import type { ReactNode } from 'react';

export type Column<Row> = {
  id: string;
  title: string;
  /** For screen readers only: the column of a checkbox or of a delete button. */
  hideTitle?: boolean;
  /** A CSS grid track: `2fr`, `120px`, `minmax(90px, 1fr)`. Its first number of pixels is what the column needs. */
  width: string;
  render(row: Row): ReactNode;
  /** Numbers stand at the end. Where they are longer than the column, it is wider: an amount is never cut. */
  end?: boolean;
  /** Hidden where the columns do not fit: `wide` ones first, then `medium` ones. Names, totals and statuses are never hidden. */
  from?: 'wide' | 'medium';
  sort?: { direction: 'ascending' | 'descending' | undefined; onSort(): void };
  /** Replaces the title, such as a checkbox that selects all rows. */
  head?: ReactNode;
};
