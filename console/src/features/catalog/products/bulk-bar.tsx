import { useMutation } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useName, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../../platform/index.ts';
import { Button, showToast } from '../../../ui/index.ts';
import { BulkBar, type Selection } from '../../../ui/list/index.ts';
import { useSayRefusal } from '../say-refusal.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { pricesWords } from './prices/words.ts';
import { type BulkChange, type Product, type ProductValues, valuesOf } from './product-values.ts';
import { schedulesWords } from './schedules/words.ts';
import { productsWords } from './words.ts';

const DIALOGS = {
  prices: lazy(async () => ({ default: (await import('./prices/price-change-dialog.tsx')).PriceChangeDialog })),
  schedule: lazy(async () => ({ default: (await import('./schedules/schedule-dialog.tsx')).ScheduleDialog })),
};

/** The maximum of one call. */
const PER_CALL = 1000;

export function ProductsBulkBar(props: { selection: Selection<Product>; page: readonly Product[] }): ReactNode {
  const t = useWords(productsWords);
  const prices = useWords(pricesWords);
  const [isEditing, setEditing] = useState(false);
  const schedules = useWords(schedulesWords);
  const [dialog, setDialog] = useState<'prices' | 'schedule'>();
  const { selection, page } = props;
  const save = useBulkSave(() => {
    setEditing(false);
    selection.clear();
  });
  const PricesDialog = dialog && DIALOGS[dialog];
  const apply = (change: BulkChange) => save.mutate({ products: selection.rows, change });
  return (
    <BulkBar count={selection.rows.length} clear={t('clearSelection')} onClear={selection.clear}>
      <Button look="quiet" onPress={() => selection.setAll(page, true)}>
        {t('selectPage')}
      </Button>
      <Button isPending={save.isPending} onPress={() => setEditing(true)}>
        {t('bulk.edit')}
      </Button>
      <Button isPending={save.isPending} onPress={() => setDialog('prices')}>
        {prices('open')}
      </Button>
      <Button isPending={save.isPending} onPress={() => setDialog('schedule')}>
        {schedules('open')}
      </Button>
      <Button isPending={save.isPending} onPress={() => apply(() => ({ is_enabled: true }))}>
        {t('bulk.on')}
      </Button>
      <Button isPending={save.isPending} onPress={() => apply(() => ({ is_enabled: false }))}>
        {t('bulk.off')}
      </Button>
      {isEditing && (
        <BulkDialog
          products={selection.rows}
          isBusy={save.isPending}
          onApply={apply}
          onClose={() => setEditing(false)}
        />
      )}
      {PricesDialog !== undefined && (
        <Suspense>
          <PricesDialog
            products={selection.rows}
            onClose={() => setDialog(undefined)}
            onDone={() => {
              setDialog(undefined);
              selection.clear();
            }}
          />
        </Suspense>
      )}
    </BulkBar>
  );
}

function useBulkSave(onDone: () => void) {
  const t = useWords(productsWords);
  const name = useName();
  const api = useApi();
  const explain = useExplainError();
  const sayRefusal = useSayRefusal();
  const readAgain = useReadAgain();

  async function send(items: readonly { iv_id: string; values: ProductValues }[]) {
    const errors: Record<string, string> = {};
    for (let from = 0; from < items.length; from += PER_CALL) {
      const products = items.slice(from, from + PER_CALL).map(({ iv_id, values }) => ({ iv_id, ...values }));
      const { data } = await api.call('saveProducts', { body: { mode: 'update', products } });
      Object.assign(errors, data.errors);
    }
    await readAgain('listProducts', 'getProduct', 'listSkus');
    return errors;
  }
  async function undo(products: readonly Product[], touched: readonly (keyof ProductValues)[]): Promise<void> {
    try {
      const only = (product: Product) =>
        Object.fromEntries(Object.entries(valuesOf(product)).filter(([field]) => touched.includes(field as never)));
      await send(products.map((product) => ({ iv_id: product.iv_id, values: only(product) })));
      showToast({ tone: 'info', text: t('bulk.undone', { count: products.length }) });
    } catch (error) {
      showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint });
    }
  }

  return useMutation({
    mutationFn: async ({ products, change }: { products: readonly Product[]; change: BulkChange }) => {
      const items = products.map((product) => ({ iv_id: product.iv_id, values: change(product) }));
      const errors = await send(items);
      const touched = Object.keys(items[0]?.values ?? {}) as (keyof ProductValues)[];
      return { errors, touched, changed: products.filter(({ iv_id }) => errors[iv_id] === undefined), products };
    },
    onSuccess: ({ errors, touched, changed, products }) => {
      const failed = products.filter(({ iv_id }) => errors[iv_id] !== undefined);
      if (changed.length > 0) {
        showToast({
          tone: 'good',
          text: t('bulk.done', { count: changed.length }),
          action: { text: t('bulk.undo'), run: () => void undo(changed, touched) },
        });
      }
      if (failed.length > 0) {
        showToast({
          tone: 'bad',
          text: t('bulk.failed', { count: failed.length }),
          detail: failed
            .slice(0, 3)
            .map((product) => `${name(product) || product.iv_id}: ${sayRefusal(errors[product.iv_id] ?? '')}`)
            .join(' · '),
        });
      }
      onDone();
    },
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
  });
}
