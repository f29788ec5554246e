import type { Schemas } from '@dukkan/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useApi, useRead, useReadAgain } from '../../../platform/index.ts';
import { InPlace } from '../../../ui/in-place.tsx';
import { Badge, Card, type Column, DataTable, EmptyState, Loaded } from '../../../ui/index.ts';
import { useBranches } from '../branches.ts';
import { useMayCatalog } from '../may-catalog.ts';
import { readNumber } from '../read-number.ts';
import { type Product, useChecks } from './product-values.ts';
import { productsWords } from './words.ts';

type Sku = Schemas['Sku'];
const AT_ONCE = 100;

/** The product in its branches; an account of one branch sees its own. */
export function useShelf(ivId: string) {
  return useRead('listSkus', { query: { product_iv_id: ivId, limit: AT_ONCE, sort: 'iv_id' } });
}

export function ProductBranches({ product }: { product: Product }): ReactNode {
  const t = useWords(productsWords);
  const shelf = useShelf(product.iv_id);
  const { number } = useFormat();
  const total = shelf.data?.data.reduce((sum, { current_qty }) => sum + current_qty, 0);
  return (
    <Card
      title={t('branches')}
      flush
      tools={
        <span className="catalog-tools small">
          {total !== undefined && (
            <span className="soft">
              {t('totalStock')}: <strong>{number(total)}</strong>{' '}
              {t('allBranches', { count: shelf.data?.total_count ?? 0 })}
            </span>
          )}
          <Link to="/matrix" search={{ search: product.iv_id }}>
            {t('toMatrix')}
          </Link>
        </span>
      }
    >
      <Loaded of={shelf} rows={5}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon="branches" title={t('noBranches')} hint={t('noBranchesHint')} />
          ) : (
            <Shelf skus={data} />
          )
        }
      </Loaded>
    </Card>
  );
}

function Shelf({ skus }: { skus: readonly Sku[] }): ReactNode {
  const t = useWords(productsWords);
  const name = useName();
  const may = useMayCatalog();
  const checks = useChecks();
  const api = useApi();
  const readAgain = useReadAgain();
  const { money, number } = useFormat();
  const branches = useBranches();
  const save = async (sku: Sku, body: Schemas['SkuChange']) => {
    await api.call('updateSku', { path: { ivId: sku.iv_id }, body });
    await readAgain('listSkus');
  };
  const nameOf = (ivId: string) => {
    const branch = branches.data?.find(({ iv_id }) => iv_id === ivId);
    return branch === undefined ? ivId : name(branch);
  };
  const columns: Column<Sku>[] = [
    {
      id: 'branch',
      title: t('column.branch'),
      width: 'minmax(90px, 2fr)',
      render: ({ branch_iv_id, is_enabled }) => (
        <span className="ui-cell-two">
          <span className="clip">{nameOf(branch_iv_id)}</span>
          {!is_enabled && <Badge>{t('sale.off')}</Badge>}
        </span>
      ),
    },
    {
      id: 'low',
      title: t('column.sale'),
      hideTitle: true,
      width: '84px',
      from: 'medium',
      render: ({ current_qty, reorder_threshold }) =>
        current_qty <= 0 ? (
          <Badge tone="bad">{t('out')}</Badge>
        ) : current_qty <= reorder_threshold ? (
          <Badge tone="warn">{t('low')}</Badge>
        ) : null,
    },
    {
      id: 'stock',
      title: t('column.stock'),
      width: '72px',
      end: true,
      render: (sku) => (
        <InPlace
          label={`${t('column.stock')}, ${nameOf(sku.branch_iv_id)}`}
          value={String(sku.current_qty)}
          shown={number(sku.current_qty)}
          ltr
          end
          isNumber
          isReadOnly={!may.updateSkus}
          check={checks.stock}
          onSave={(text) => save(sku, { current_qty: readNumber(text) ?? 0 })}
        />
      ),
    },
    {
      id: 'price',
      title: t('column.ownPrice'),
      width: '96px',
      end: true,
      render: (sku) => (
        <InPlace
          label={`${t('column.ownPrice')}, ${nameOf(sku.branch_iv_id)}`}
          value={sku.price === null ? '' : String(sku.price)}
          shown={money(sku.effective_price)}
          empty={money(sku.effective_price)}
          ltr
          end
          isNumber
          isReadOnly={!may.updateSkus}
          check={(text) => (text === '' ? undefined : checks.price(text))}
          onSave={(text) => save(sku, { price: text === '' ? null : (readNumber(text) ?? null) })}
        />
      ),
    },
  ];
  return <DataTable label={t('branches')} columns={columns} rows={skus} keyOf={({ iv_id }) => iv_id} />;
}
