import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { useWords } from '../../../../i18n/index.ts';
import { currentVersion, ifMatch, useApi, useExplainError, useReadAgain } from '../../../../platform/index.ts';
import { showToast } from '../../../../ui/index.ts';
import type { Product } from '../product-values.ts';
import { imagesWords } from './words.ts';

export type Image = Schemas['ProductImage'];
type Wanted = Schemas['ProductImages']['images'];

/** The writes of a product's images. */
export function useImages(product: Product) {
  const t = useWords(imagesWords);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const path = { ivId: product.iv_id };
  const refresh = () => readAgain('getProduct', 'listProducts');
  const onError = (error: unknown) =>
    showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint });

  /** Derived from the latest version: repeated until no other change comes between. */
  async function arrange(wantedOf: (images: readonly Image[]) => Wanted): Promise<void> {
    for (let latest = product; ; ) {
      try {
        const body = { images: wantedOf(latest.images) };
        await api.call('arrangeProductImages', { path, body, headers: ifMatch(latest) });
        return void (await refresh());
      } catch (error) {
        const current = currentVersion<Product>(error);
        if (current === undefined) throw error;
        latest = current;
      }
    }
  }

  const add = useMutation({
    mutationFn: async (file: Blob) => {
      const form = new FormData();
      form.append('file', file, 'image');
      await api.call('addProductImage', { path, body: form });
      await refresh();
    },
    onSuccess: () => showToast({ tone: 'good', text: t('added') }),
    onError,
  });
  const order = useMutation({
    mutationFn: ({ id, by }: { id: string; by: 1 | -1 }) => arrange((images) => withMoved(images, id, by).map(idOf)),
    onError,
  });
  const remove = useMutation({
    mutationFn: (id: string) => arrange((images) => images.filter((image) => image.id !== id).map(idOf)),
    onSuccess: () => showToast({ tone: 'good', text: t('removed') }),
    onError,
  });
  const describe = (id: string, texts: { alt_en?: string; alt_ar?: string }) =>
    arrange((images) => images.map((image) => (image.id === id ? { id, ...texts } : idOf(image))));
  return { add, order, remove, describe, isBusy: add.isPending || order.isPending || remove.isPending };
}

const idOf = ({ id }: Image) => ({ id });

/** One place earlier or later; at the ends nothing moves. */
export function withMoved<Item extends { id: string }>(items: readonly Item[], id: string, by: 1 | -1): Item[] {
  const at = items.findIndex((item) => item.id === id);
  const other = items[at + by];
  const item = items[at];
  if (item === undefined || other === undefined) return [...items];
  return items.with(at, other).with(at + by, item);
}
