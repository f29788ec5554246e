import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { useLanguage, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useMay } from '../../../platform/index.ts';
import { showToast } from '../../../ui/index.ts';
import { PrintSheet } from '../../../ui/receipt/index.ts';
import { A4Invoice } from './a4-invoice.tsx';
import { collectPapers, type Paper, type PaperKind } from './collect-papers.ts';
import { Slip } from './slip.tsx';
import { printWords } from './words.ts';

type Order = Schemas['CanonicalOrder'];

/** Prints papers of orders, each on a page of its own. `sheet` has to be rendered by the page. */
export function usePrint(): {
  print(kind: PaperKind, orders: readonly Order[]): void;
  isBusy: boolean;
  sheet: ReactNode;
} {
  const t = useWords(printWords);
  const api = useApi();
  const language = useLanguage();
  const mayReadProducts = useMay()('read:Products');
  const explain = useExplainError();
  const collect = useMutation({
    mutationFn: ({ kind, orders }: { kind: PaperKind; orders: readonly Order[] }) =>
      collectPapers(api, kind, orders, { language, mayReadProducts }),
    onSuccess: (found, { orders }) => {
      const missing = orders.length - found.length;
      if (found.length === 0) showToast({ tone: 'info', text: t('noneToPrint') });
      else if (missing > 0) showToast({ tone: 'info', text: t('without', { count: missing }) });
    },
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title }),
  });
  const { data: papers = [], reset } = collect;
  useEffect(() => {
    if (papers.length === 0) return;
    window.addEventListener('afterprint', reset);
    // After the effect: React renders nothing synchronously inside of one, and the browser prints what is there after `beforeprint`.
    const timer = setTimeout(() => window.print());
    return () => {
      clearTimeout(timer);
      window.removeEventListener('afterprint', reset);
    };
  }, [papers, reset]);
  const sheet = papers.length > 0 && (
    <PrintSheet isOnly paper={papers[0]?.kind === 'invoice' ? 'a4' : 'roll'}>
      {papers.map((paper) => (
        <OnePaper key={paper.kind === 'invoice' ? paper.id : paper.order.id} paper={paper} />
      ))}
    </PrintSheet>
  );
  return { print: (kind, orders) => collect.mutate({ kind, orders }), isBusy: collect.isPending, sheet };
}

function OnePaper({ paper }: { paper: Paper }): ReactNode {
  return paper.kind === 'invoice' ? <A4Invoice {...paper} /> : <Slip {...paper} />;
}
