import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { Menu } from '../../../ui/index.ts';
import { SLIPS } from './slip.tsx';
import { usePrint } from './use-print.tsx';
import { printWords } from './words.ts';

/** Prints a packing slip, a kitchen ticket or the tax invoice of the order. */
export function OrderPrint({ order }: { order: Schemas['CanonicalOrder'] }): ReactNode {
  const t = useWords(printWords);
  const { print, isBusy, sheet } = usePrint();
  return (
    <>
      <Menu
        label={t('print')}
        button={{ icon: 'print', 'aria-label': t('print'), isDisabled: isBusy }}
        groups={[
          {
            id: 'papers',
            entries: [...SLIPS, 'invoice' as const].map((kind) => ({
              id: kind,
              text: t(`paper.${kind}`),
              onAction: () => print(kind, [order]),
            })),
          },
        ]}
      />
      {sheet}
    </>
  );
}
