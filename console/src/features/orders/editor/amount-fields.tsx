import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { Card, Field } from '../../../ui/index.ts';
import type { Amounts, TaxMode } from './amounts.ts';
import type { PartProps } from './order-fields.tsx';
import { editorWords } from './words.ts';

/** Discount and fees as typed, and the amounts that the order gets with them. */
export function AmountFields(
  props: PartProps & {
    amounts: Amounts;
    mode: TaxMode;
    currency: string;
    /** The total of the stored order. */
    totalBefore?: number;
    isDiscountTooHigh: boolean;
  },
): ReactNode {
  const t = useWords(editorWords);
  const { money } = useFormat();
  const { values, onChange, faults, amounts, mode, currency, totalBefore } = props;
  const fields = ['discount', 'deliveryFee', 'serviceFee'] as const;
  const errorOf = (field: (typeof fields)[number]) => {
    if (faults[field] !== undefined) return t('wrong.amount');
    return field === 'discount' && props.isDiscountTooHigh ? t('discountTooHigh') : undefined;
  };
  return (
    <Card title={t('amounts')}>
      <div className="order-editor-part">
        <div className="order-editor-three">
          {fields.map((field) => (
            <Field
              key={field}
              label={t(field)}
              value={values[field]}
              onChange={(text) => onChange({ [field]: text })}
              error={errorOf(field)}
              inputMode="decimal"
              ltr
            />
          ))}
        </div>
        <dl className="order-editor-sums" aria-live="polite">
          <dt className="soft">{t('subtotal')}</dt>
          <dd>{money(amounts.subtotal, currency)}</dd>
          {mode !== 'none' && (
            <>
              <dt className="soft">{t(mode === 'included' ? 'vatIncluded' : 'vat')}</dt>
              <dd>{money(amounts.vat, currency)}</dd>
            </>
          )}
          <dt className="strong">{t('total')}</dt>
          <dd className="strong">{money(amounts.total, currency)}</dd>
        </dl>
        {totalBefore !== undefined && totalBefore !== amounts.total && (
          <p className="soft small">{t('before', { total: money(totalBefore, currency) })}</p>
        )}
      </div>
    </Card>
  );
}
