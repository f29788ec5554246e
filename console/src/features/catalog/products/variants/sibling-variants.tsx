import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../../../i18n/index.ts';
import { useRead } from '../../../../platform/index.ts';
import { Badge, Card, type Column, DataTable } from '../../../../ui/index.ts';
import { searchTextOf, splitName, variantsOf } from '../../../../ui/product-variants.ts';
import type { Product } from '../product-values.ts';
import { productsWords } from '../words.ts';
import { variantsWords } from './words.ts';

/** The service's most. Of a name with more matches, variants beyond the first hundred are not listed. */
const AT_MOST = 100;

/** The variants of a product, by the search of products: they begin with the same words. */
export function SiblingVariants({ product }: { product: Product }): ReactNode {
  const search = searchTextOf(product);
  return search === undefined ? null : <Siblings product={product} search={search} />;
}

function Siblings({ product, search }: { product: Product; search: string }): ReactNode {
  const t = useWords(variantsWords);
  const products = useWords(productsWords);
  const name = useName();
  const { money } = useFormat();
  const { data } = useRead('listProducts', {
    query: { search, limit: AT_MOST, sort: 'name_en', ...(product.brand_id && { brand_id: product.brand_id }) },
  });
  const variants = variantsOf(product, data?.data ?? []);
  if (variants.length < 2) return null;
  const columns: Column<Product>[] = [
    {
      id: 'variant',
      title: t('variant'),
      width: 'minmax(110px, 2fr)',
      render: (variant) => {
        const label = splitName(name(variant))?.label ?? name(variant);
        return variant.iv_id === product.iv_id ? (
          <span className="ui-cell-two">
            <bdi className="strong clip">{label}</bdi>
            <span className="soft small">{t('this')}</span>
          </span>
        ) : (
          <Link to="/products/$ivId" params={{ ivId: variant.iv_id }}>
            <bdi>{label}</bdi>
          </Link>
        );
      },
    },
    {
      id: 'sale',
      title: products('column.sale'),
      width: '96px',
      from: 'medium',
      render: ({ is_enabled }) => (
        <Badge tone={is_enabled ? 'good' : 'plain'}>{products(is_enabled ? 'sale.on' : 'sale.off')}</Badge>
      ),
    },
    {
      id: 'stock',
      title: t('stock'),
      width: '116px',
      render: ({ iv_id }) => (
        <Link to="/matrix" search={{ search: iv_id }}>
          {t('toStock')}
        </Link>
      ),
    },
    {
      id: 'price',
      title: products('column.price'),
      width: '88px',
      end: true,
      render: ({ average_price }) => money(average_price),
    },
  ];
  return (
    <Card title={`${t('title')} · ${t('count', { count: variants.length })}`} flush>
      <DataTable label={t('title')} columns={columns} rows={variants} keyOf={({ iv_id }) => iv_id} />
    </Card>
  );
}
