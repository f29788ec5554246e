import type { ReactNode } from 'react';
import { type Column, DataTable, Pager } from '../../../ui/index.ts';

/** A page of rows in a card, and the way to the others. */
export function PagedTable<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  onOpen?: (row: Row) => void;
  page: number;
  perPage: number;
  total: number;
  onPage(page: number): void;
}): ReactNode {
  const { label, columns, rows, keyOf, onOpen, page, perPage, total, onPage } = props;
  return (
    <>
      <DataTable label={label} columns={columns} rows={rows} keyOf={keyOf} {...(onOpen && { onOpen })} />
      {total > perPage && (
        <div className="operator-pager">
          <Pager page={page} perPage={perPage} total={total} onPage={onPage} />
        </div>
      )}
    </>
  );
}
