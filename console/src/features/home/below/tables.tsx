import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useMay } from '../../../platform/index.ts';
import { Badge, Card, DataTable, EmptyState, Loaded } from '../../../ui/index.ts';
import { type Sections, useSection } from '../dashboard.ts';
import type { Range } from '../ranges.ts';
import { homeMoreWords } from './words.ts';

type Props = { range: Range };
const ROWS = 8;

export function Products({ range }: Props): ReactNode {
  const t = useWords(homeMoreWords);
  const navigate = useNavigate();
  const mayOpen = useMay()('read:Products');
  const name = useName();
  const { number, roundMoney, percent } = useFormat();
  const products = useSection('products', range);
  return (
    <Card title={t('products')} flush>
      <div className="home-table">
        <Loaded of={products} rows={ROWS}>
          {(rows) =>
            rows === null ? (
              <EmptyState icon="products" title={t('noProducts')} />
            ) : (
              <DataTable<Sections['products'][number]>
                label={t('products')}
                rows={rows.slice(0, ROWS)}
                keyOf={({ product_id }) => product_id}
                {...(mayOpen && {
                  onOpen: ({ product_id }) => void navigate({ to: '/products/$ivId', params: { ivId: product_id } }),
                })}
                columns={[
                  {
                    id: 'product',
                    title: t('product'),
                    width: 'minmax(96px, 1fr)',
                    render: (row) => name(row) || row.product_id,
                  },
                  { id: 'sold', title: t('sold'), width: '64px', end: true, render: ({ units }) => number(units) },
                  {
                    id: 'revenue',
                    title: t('revenue'),
                    width: '88px',
                    end: true,
                    render: ({ revenue }) => roundMoney(revenue),
                  },
                  {
                    id: 'share',
                    title: '%',
                    width: '60px',
                    end: true,
                    from: 'wide',
                    render: ({ share }) => percent(share),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}

export function AtRisk({ range }: Props): ReactNode {
  const t = useWords(homeMoreWords);
  const navigate = useNavigate();
  const name = useName();
  const { number, shortDate } = useFormat();
  const sensy = useSection('sensy', range);
  return (
    <Card title={t('risk')} flush>
      <div className="home-table">
        <Loaded of={sensy} rows={ROWS}>
          {(rows) =>
            rows === null ? (
              <EmptyState icon="forecasts" title={t('noRisk')} />
            ) : (
              <DataTable<Sections['sensy'][number]>
                label={t('risk')}
                rows={rows.slice(0, ROWS)}
                keyOf={({ sku_id }) => sku_id}
                onOpen={({ sku_id }) => void navigate({ to: '/forecasts/$sku', params: { sku: sku_id } })}
                columns={[
                  {
                    id: 'sku',
                    title: t('product'),
                    width: 'minmax(96px, 1fr)',
                    render: ({ product_name_en, product_name_ar, sku_id, branch_iv_id }) => (
                      <span className="ui-cell-two">
                        <span className="clip">
                          {name({ name_en: product_name_en, name_ar: product_name_ar }) || sku_id}
                        </span>
                        <span className="soft small clip ltr">{branch_iv_id}</span>
                      </span>
                    ),
                  },
                  {
                    id: 'stock',
                    title: t('inStock'),
                    width: '80px',
                    end: true,
                    render: ({ current_qty }) => number(current_qty),
                  },
                  {
                    id: 'out',
                    title: t('runsOut'),
                    width: '110px',
                    end: true,
                    render: ({ current_qty, stockout_date, days_of_cover }) => (
                      <Badge tone={current_qty <= 0 || (days_of_cover ?? 0) < 3 ? 'bad' : 'warn'}>
                        {current_qty <= 0 ? t('outOfStock') : stockout_date === null ? '—' : shortDate(stockout_date)}
                      </Badge>
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </div>
    </Card>
  );
}
