import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useApi, useExplainError, useRead, useReadAgain } from '../../../platform/index.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Badge, Button, Card, ConfirmDialog, Facts, Loaded, Menu, Page, showToast } from '../../../ui/index.ts';
import '../catalog.css';
import { useMayCatalog } from '../may-catalog.ts';
import { saveProduct } from '../save-product.ts';
import { useProductConflict } from '../use-product-conflict.ts';
import { ProductImages } from './images/product-images.tsx';
import { ProductBranches, useShelf } from './product-branches.tsx';
import { ProductFacts, ProductPrice } from './product-facts.tsx';
import type { Product, SaveValues } from './product-values.ts';
import { SiblingVariants } from './variants/sibling-variants.tsx';
import { productsWords } from './words.ts';

const route = getRouteApi('/in/products/$ivId');

export function ProductPage(): ReactNode {
  const t = useWords(productsWords);
  const { ivId } = route.useParams();
  const product = useRead('getProduct', { path: { ivId } });
  return (
    <Loaded of={product} rows={8} back={<BackLink to="/products">{t('back')}</BackLink>}>
      {(found) => <OneProduct key={found.id} product={found} />}
    </Loaded>
  );
}

function OneProduct({ product }: { product: Product }): ReactNode {
  const t = useWords(productsWords);
  const name = useName();
  const may = useMayCatalog();
  const { dateTime, hijri } = useFormat();
  const { save, dialog } = useSave(product);
  const shown = name(product) || product.iv_id;
  return (
    <Page
      title={
        <span className="catalog-title">
          {shown}
          <Badge tone={product.is_enabled ? 'good' : 'plain'}>{t(product.is_enabled ? 'sale.on' : 'sale.off')}</Badge>
        </span>
      }
      name={shown}
      note={<BackLink to="/products">{t('back')}</BackLink>}
      tools={<Tools product={product} save={save} shown={shown} />}
    >
      <div className="catalog-columns">
        <div className="catalog-column">
          <ProductFacts product={product} save={save} isReadOnly={!may.update} />
          <SiblingVariants product={product} />
          <ProductBranches product={product} />
        </div>
        <div className="catalog-column">
          <ProductPrice product={product} save={save} isReadOnly={!may.update} />
          <ProductImages product={product} isReadOnly={!may.update} />
          <Card>
            <div className="catalog-dates">
              <Facts
                facts={[
                  [t('addedOn'), dateTime(product.created)],
                  [t('hijri'), hijri(product.created)],
                  [t('changedOn'), dateTime(product.updated)],
                ]}
              />
            </div>
          </Card>
        </div>
      </div>
      {dialog}
    </Page>
  );
}

function Tools({ product, save, shown }: { product: Product; save: SaveValues; shown: string }): ReactNode {
  const t = useWords(productsWords);
  const may = useMayCatalog();
  const api = useApi();
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const shelf = useShelf(product.iv_id);
  const [isDeleting, setDeleting] = useState(false);
  const say = (error: unknown) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint });
  const toggle = useMutation({
    mutationFn: () => save({ is_enabled: !product.is_enabled }),
    onSuccess: () => showToast({ tone: 'good', text: t(product.is_enabled ? 'nowOff' : 'nowOn') }),
    onError: say,
  });
  const remove = useMutation({
    // Every product has SKUs; the dialog says that they are deleted too.
    mutationFn: () => api.call('deleteProduct', { path: { ivId: product.iv_id }, query: { force: true } }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('deleted') });
      await navigate({ to: '/products' });
      await readAgain('listProducts', 'listSkus');
    },
    onError: say,
    onSettled: () => setDeleting(false),
  });
  return (
    <>
      {may.update && (
        <Button isPending={toggle.isPending} onPress={() => toggle.mutate()}>
          {t(product.is_enabled ? 'bulk.off' : 'bulk.on')}
        </Button>
      )}
      {may.delete && (
        <Menu
          label={t('actions')}
          button={{ icon: 'more', 'aria-label': t('actions') }}
          groups={[
            {
              id: 'acts',
              entries: [{ id: 'delete', text: t('delete'), look: 'danger', onAction: () => setDeleting(true) }],
            },
          ]}
        />
      )}
      <ConfirmDialog
        title={t('deleteTitle', { name: shown })}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => remove.mutate()}
        confirm={t('delete')}
        isBusy={remove.isPending}
        danger
      >
        <p>{t('deleteText', { count: shelf.data?.total_count ?? 0 })}</p>
      </ConfirmDialog>
    </>
  );
}

function useSave(product: Product): { save: SaveValues; dialog: ReactNode } {
  const api = useApi();
  const readAgain = useReadAgain();
  const { choose, dialog } = useProductConflict();
  const save: SaveValues = async (change) => {
    await saveProduct(api, product, change, choose);
    await readAgain('getProduct', 'listProducts', 'listSkus');
  };
  return { save, dialog };
}
