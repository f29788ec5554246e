import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { useWords } from '../../../../i18n/index.ts';
import { useApi, useExplainError, useReadAgain } from '../../../../platform/index.ts';
import { showToast } from '../../../../ui/index.ts';
import { pricesWords } from './words.ts';

export type PriceChange = Omit<Schemas['PriceChange'], 'dry_run'>;
type Undo = NonNullable<Schemas['PriceChangeResult']['undo']>;

/** Previews and applies a change of prices. The notice of an applied one offers to undo it. */
export function usePriceChange(onDone: () => void) {
  const t = useWords(pricesWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const onError = (error: unknown) =>
    showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint });

  async function undo(skus: Undo): Promise<void> {
    try {
      await api.call('updateSkus', { body: { mode: 'update', skus } });
      await readAgain('listSkus');
      showToast({ tone: 'info', text: t('undone') });
    } catch (error) {
      onError(error);
    }
  }
  const preview = useMutation({
    mutationFn: async (change: PriceChange) => {
      const { data } = await api.call('changePrices', { body: { ...change, dry_run: true } });
      return { ...data, change };
    },
    onError,
  });
  const apply = useMutation({
    mutationFn: async (change: PriceChange) =>
      (await api.call('changePrices', { body: { ...change, dry_run: false } })).data,
    onSuccess: async ({ total, undo: before }) => {
      showToast({
        tone: 'good',
        text: t('done', { count: total }),
        ...(before !== null && total > 0 && { action: { text: t('undo'), run: () => void undo(before) } }),
      });
      onDone();
      await readAgain('listSkus');
    },
    onError,
  });
  return { preview, apply };
}
