import { memo, type ReactNode } from 'react';
import { useName, useWords } from '../../../i18n/index.ts';
import type { MatrixColumn } from './columns.ts';
import { matrixWords } from './words.ts';

type Props = { columns: readonly MatrixColumn[]; starts: readonly number[]; from: number; to: number };

export const MatrixHead = memo(function MatrixHead({ columns, starts, from, to }: Props): ReactNode {
  const t = useWords(matrixWords);
  const name = useName();
  return (
    <div role="rowgroup" className="matrix-head">
      <div role="row" className="matrix-row" aria-rowindex={1}>
        <div role="columnheader" className="matrix-product" aria-colindex={1}>
          {t('product')}
        </div>
        {columns.slice(from, to + 1).map((column, offset) => {
          const index = from + offset;
          return (
            <div
              key={column.id}
              role="columnheader"
              className="matrix-cell"
              data-kind={column.kind}
              aria-colindex={index + 2}
              style={{ insetInlineStart: starts[index], inlineSize: column.width }}
              title={column.kind === 'branch' ? name(column.branch) : undefined}
            >
              {column.kind === 'branch' ? (
                <>
                  <span className={column.branch.active ? 'matrix-branch' : 'clip'}>
                    {name(column.branch) || column.branch.iv_id}
                  </span>
                  {!column.branch.active && <span className="soft small">{t('inactive')}</span>}
                </>
              ) : (
                t(column.kind)
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
});
