import { type Dukkan, DukkanError } from '@dukkan/sdk';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../../platform/index.ts';
import { showToast } from '../../../ui/index.ts';
import { saveProduct } from '../save-product.ts';
import { useSayRefusal } from '../say-refusal.ts';
import { useProductConflict } from '../use-product-conflict.ts';
import type { MatrixData, Product, Sku } from './matrix-data.ts';
import { createEdits, type Edit, type Refused } from './matrix-edits.ts';
import { matrixWords } from './words.ts';

export type Edits = {
  make(group: Edit[]): void;
  undo(): void;
};

/** The edits of one list: sent through the API, reported by toasts. */
export function useEdits(data: MatrixData, onBusy: (isBusy: boolean) => void): { edits: Edits; dialog: ReactNode } {
  const api = useApi();
  const readAgain = useReadAgain();
  const report = useReport();
  const { choose, dialog } = useProductConflict();
  const latest = useRef({ report, readAgain, onBusy, choose });
  useEffect(() => {
    latest.current = { report, readAgain, onBusy, choose };
  });
  const edits = useMemo(() => {
    const made = createEdits(
      {
        skus: (items) => saveSkus(api, items),
        product: (base, change) => saveProduct(api, base, change, (conflicts) => latest.current.choose(conflicts)),
      },
      {
        show(edit, values) {
          if (edit.of === 'sku') data.changeSku(edit.product, edit.branch, edit[values] as Partial<Sku>);
          else data.changeProduct(edit.product, edit[values] as Partial<Product>);
        },
        latest: data.find,
        stored: (product, values) => data.changeProduct(product, values),
        busy: (isBusy) => latest.current.onBusy(isBusy),
        done(saved, refused) {
          // For other pages; this one is already up to date.
          void latest.current.readAgain('listSkus', 'listProducts', 'getProduct');
          latest.current.report(saved, refused, () => undo(saved));
        },
      },
    );
    function undo(groups?: readonly Edit[][]): void {
      latest.current.report.undone(made.undo(groups));
    }
    return { make: made.make, undo: () => undo(), flush: made.flush };
  }, [api, data]);
  useEffect(() => edits.flush, [edits]);
  return { edits, dialog };
}

function useReport() {
  const t = useWords(matrixWords);
  const explain = useExplainError();
  const sayRefusal = useSayRefusal();
  function report(saved: Edit[][], refused: readonly Refused[], undo: () => void): void {
    const count = saved.flat().length;
    if (count > 0) {
      showToast({ tone: 'good', text: t('changed', { count }), action: { text: t('undo'), run: undo } });
    }
    const [first] = refused;
    if (first === undefined) return;
    const reason = typeof first.reason === 'string' ? sayRefusal(first.reason) : explain(first.reason).title;
    showToast({ tone: 'bad', text: t('failed', { count: refused.length }), detail: `${reason} · ${t('failedHint')}` });
  }
  return Object.assign(report, {
    undone: (count: number) =>
      showToast({ tone: 'info', text: count === 0 ? t('nothingToUndo') : t('undone', { count }) }),
  });
}

async function saveSkus(api: Dukkan, items: { iv_id: string; change: Partial<Sku> }[]): Promise<Map<string, unknown>> {
  const [first, ...others] = items;
  if (first === undefined) return new Map();
  if (others.length > 0) {
    const skus = items.map(({ iv_id, change }) => ({ ...change, iv_id }));
    const { data } = await api.call('updateSkus', { body: { mode: 'update', skus } });
    return new Map(Object.entries(data.errors));
  }
  try {
    await api.call('updateSku', { path: { ivId: first.iv_id }, body: first.change });
    return new Map();
  } catch (error) {
    if (error instanceof DukkanError && error.status !== 0) return new Map([[first.iv_id, error]]);
    throw error;
  }
}
