import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useName, useWords } from '../../../../i18n/index.ts';
import { Button, Dialog, Select } from '../../../../ui/index.ts';
import type { Product } from '../product-values.ts';
import { BranchField, PercentField, usePercentFields } from './percent-fields.tsx';
import { type PriceChange, usePriceChange } from './use-price-change.ts';
import './prices.css';
import { pricesWords } from './words.ts';

const ROUNDINGS = ['none', '0.05', '0.25', '0.50', '1.00'] as const;

/** Changes the branch prices of the selected products by a percentage, after a preview. */
export function PriceChangeDialog(props: { products: readonly Product[]; onDone(): void; onClose(): void }): ReactNode {
  const { products, onClose } = props;
  const t = useWords(pricesWords);
  const common = useWords(commonWords);
  const name = useName();
  const { money } = useFormat();
  const { percent, branch, fields } = usePercentFields();
  const [rounding, setRounding] = useState<(typeof ROUNDINGS)[number]>('none');
  const { preview, apply } = usePriceChange(props.onDone);
  const change: PriceChange = {
    percent: percent ?? 0,
    rounding,
    filter: {
      product_iv_ids: products.map(({ iv_id }) => iv_id),
      ...(branch !== undefined && { branch_iv_ids: [branch] }),
    },
  };
  // A preview of other values than those in the fields is not shown, and cannot be applied.
  const isCurrent = percent !== undefined && JSON.stringify(preview.data?.change) === JSON.stringify(change);
  const shown = isCurrent ? preview.data : undefined;
  return (
    <Dialog
      title={t('title', { count: products.length })}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button
            isDisabled={percent === undefined}
            isPending={preview.isPending}
            onPress={() => preview.mutate(change)}
          >
            {t('preview')}
          </Button>
          <Button
            look="primary"
            isDisabled={shown === undefined || shown.total === 0}
            isPending={apply.isPending}
            onPress={() => apply.mutate(change)}
          >
            {t('apply')}
          </Button>
        </>
      }
    >
      <div className="catalog-stack">
        <PercentField fields={fields} hint={t('percentHint')} />
        <Select
          label={t('rounding')}
          value={rounding}
          onChange={(chosen) => setRounding(ROUNDINGS.find((one) => one === chosen) ?? 'none')}
          options={ROUNDINGS.map((one) => ({
            value: one,
            text: one === 'none' ? t('rounding.none') : money(Number(one)),
          }))}
        />
        <BranchField fields={fields} />
        <p className="soft small">{t('note')}</p>
        {shown !== undefined && (
          <div>
            <p className="strong" role="status">
              {t('total', { count: shown.total })}
            </p>
            {shown.rows.length < shown.total && (
              <p className="soft small">{t('firstRows', { count: shown.rows.length })}</p>
            )}
            {shown.rows.length > 0 && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled list needs the keyboard
              <section className="prices-preview" tabIndex={0} aria-label={t('column')}>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{t('column.product')}</th>
                      <th scope="col">{t('column.before')}</th>
                      <th scope="col">{t('column.after')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {shown.rows.map((row) => (
                      <tr key={row.sku_iv_id}>
                        <td>
                          <span className="clip">{name(row) || row.product_iv_id}</span>{' '}
                          <span className="soft small ltr">{row.branch_iv_id}</span>
                        </td>
                        <td className="soft">{money(row.price_before)}</td>
                        <td className="strong">{money(row.price_after)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
            )}
          </div>
        )}
      </div>
    </Dialog>
  );
}
