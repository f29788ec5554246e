import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useWords } from '../../i18n/index.ts';
import { useMay } from '../../platform/index.ts';
import { BulkBar, type Selection } from '../../ui/list/index.ts';
import { MoveMenu } from './bulk-moves.tsx';
import { PrintSelected } from './print/print-selected.tsx';
import { TagSelected } from './tags/tag-selected.tsx';
import { ordersWords } from './words.ts';

/** Loaded with the first selection: printing, tags and moves. */
export default function BulkTools({ selection }: { selection: Selection<Schemas['CanonicalOrder']> }): ReactNode {
  const t = useWords(ordersWords);
  const may = useMay();
  return (
    <BulkBar count={selection.rows.length} clear={t('clearSelection')} onClear={selection.clear}>
      <PrintSelected orders={selection.rows} />
      {may('update:Orders') && (
        <>
          <MoveMenu selection={selection} />
          <TagSelected orders={selection.rows} />
        </>
      )}
    </BulkBar>
  );
}
