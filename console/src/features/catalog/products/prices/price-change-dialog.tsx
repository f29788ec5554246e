import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useName, useWords } from '../../../../i18n/index.ts';
import { Button, Dialog, Field, Select } from '../../../../ui/index.ts';
import { useBranches } from '../../branches.ts';
import { readNumber } from '../../read-number.ts';
import type { Product } from '../product-values.ts';
import { type PriceChange, usePriceChange } from './use-price-change.ts';
import './prices.css';
import { pricesWords } from './words.ts';

const ROUNDINGS = ['none', '0.05', '0.25', '0.50', '1.00'] as const;
const EVERY_BRANCH = '';

/** Changes the branch prices of the selected products by a percentage, after a preview. */
export function PriceChangeDialog(props: { products: readonly Product[]; onDone(): void; onClose(): void }): ReactNode {
  const { products, onClose } = props;
  const t = useWords(pricesWords);
  const common = useWords(commonWords);
  const name = useName();
  const { money } = useFormat();
  const branches = useBranches();
  const [percent, setPercent] = useState('');
  const [rounding, setRounding] = useState<(typeof ROUNDINGS)[number]>('none');
  const [branch, setBranch] = useState(EVERY_BRANCH);
  const { preview, apply } = usePriceChange(props.onDone);
  const value = readNumber(percent);
  const isWrong = value === undefined || value < -90 || value > 500 || !/^-?\d+(?:\.\d{1,2})?$/.test(String(value));
  const change: PriceChange = {
    percent: value ?? 0,
    rounding,
    filter: {
      product_iv_ids: products.map(({ iv_id }) => iv_id),
      ...(branch !== EVERY_BRANCH && { branch_iv_ids: [branch] }),
    },
  };
  // A preview of other values than those in the fields is not shown, and cannot be applied.
  const shown = !isWrong && JSON.stringify(preview.data?.change) === JSON.stringify(change) ? preview.data : undefined;
  return (
    <Dialog
      title={t('title', { count: products.length })}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{common('cancel')}</Button>
          <Button isDisabled={isWrong} isPending={preview.isPending} onPress={() => preview.mutate(change)}>
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
        <Field
          label={t('percent')}
          value={percent}
          onChange={setPercent}
          error={percent !== '' && isWrong ? t('percentBad') : undefined}
          hint={t('percentHint')}
          ltr
          autoFocus
          inputMode="decimal"
        />
        <Select
          label={t('rounding')}
          value={rounding}
          onChange={(chosen) => setRounding(ROUNDINGS.find((one) => one === chosen) ?? 'none')}
          options={ROUNDINGS.map((one) => ({
            value: one,
            text: one === 'none' ? t('rounding.none') : money(Number(one)),
          }))}
        />
        <Select
          label={t('branch')}
          value={branch}
          onChange={setBranch}
          options={[
            { value: EVERY_BRANCH, text: t('everyBranch') },
            ...(branches.data ?? []).map((one) => ({ value: one.iv_id, text: name(one) || one.iv_id })),
          ]}
        />
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
