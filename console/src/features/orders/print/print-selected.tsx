import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { Menu, showToast } from '../../../ui/index.ts';
import type { PaperKind } from './collect-papers.ts';
import { SLIPS } from './slip.tsx';
import { usePrint } from './use-print.tsx';
import { printWords } from './words.ts';

/** Each takes up to two requests, and a browser lays all of them out before it prints. */
const MAX_PRINTED = 50;

export function PrintSelected({ orders }: { orders: readonly Schemas['CanonicalOrder'][] }): ReactNode {
  const t = useWords(printWords);
  const { number } = useFormat();
  const { print, isBusy, sheet } = usePrint();
  const start = (kind: PaperKind) => {
    if (orders.length > MAX_PRINTED) showToast({ tone: 'bad', text: t('tooMany', { limit: number(MAX_PRINTED) }) });
    else print(kind, orders);
  };
  return (
    <>
      <Menu
        label={t('printSelected')}
        button={{ icon: 'print', children: isBusy ? t('preparing') : t('printSelected'), isDisabled: isBusy }}
        groups={[
          {
            id: 'papers',
            entries: [...SLIPS, 'invoice' as const].map((kind) => ({
              id: kind,
              text: t(`papers.${kind}`),
              onAction: () => start(kind),
            })),
          },
        ]}
      />
      {sheet}
    </>
  );
}
