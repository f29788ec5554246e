import type { ReactNode } from 'react';
import { commonWords, useWords } from '../../i18n/index.ts';
import { Button } from '../button.tsx';

/** What can be done with the selected rows. It stands at the foot of the list, so that no row moves when it appears. */
export function BulkBar(props: { count: number; clear: string; onClear(): void; children: ReactNode }): ReactNode {
  const t = useWords(commonWords);
  const { count, clear, onClear, children } = props;
  if (count === 0) return null;
  return (
    <div className="ui-bulk-bar" role="toolbar" aria-label={t('selected', { count })}>
      <strong>{t('selected', { count })}</strong>
      {children}
      <Button look="quiet" onPress={onClear}>
        {clear}
      </Button>
    </div>
  );
}
