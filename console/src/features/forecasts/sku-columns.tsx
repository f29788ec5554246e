import { useFormat, useWords } from '../../i18n/index.ts';
import type { Column } from '../../ui/index.ts';
import { useBranchNames } from './use-branch-names.ts';
import { forecastsWords } from './words.ts';

type Row = { sku_id: string; product_name_en: string; product_name_ar: string; branch_iv_id: string };

/** The columns that the tables of forecasts and of consumption share. */
export function useSkuColumns<Item extends Row>(): Record<'product' | 'branch', Omit<Column<Item>, 'width'>> {
  const t = useWords(forecastsWords);
  const { language } = useFormat();
  const { nameOf } = useBranchNames();
  return {
    product: {
      id: 'product',
      title: t('column.product'),
      render: (item) => (
        <span className="ui-cell-two">
          <span className="clip strong">{language === 'ar' ? item.product_name_ar : item.product_name_en}</span>
          <span className="clip ltr soft small">{item.sku_id}</span>
        </span>
      ),
    },
    branch: { id: 'branch', title: t('column.branch'), render: ({ branch_iv_id }) => nameOf(branch_iv_id) },
  };
}
