import { DukkanError } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../../i18n/index.ts';
import { useExplainError } from '../../../platform/index.ts';
import { BarcodePicture, isWrongCheckDigit } from '../../../ui/barcode.tsx';
import { InPlace } from '../../../ui/in-place.tsx';
import { Card, Facts, showToast } from '../../../ui/index.ts';
import { type GroupKind, GroupPicker, useGroup } from '../group-picker.tsx';
import { readNumber } from '../read-number.ts';
import { type Product, type SaveValues, useChecks } from './product-values.ts';
import { productsWords } from './words.ts';

type Props = { product: Product; save: SaveValues; isReadOnly: boolean };

export function ProductFacts({ product, save, isReadOnly }: Props): ReactNode {
  const t = useWords(productsWords);
  const checks = useChecks();
  const text = (field: 'name_en' | 'name_ar' | 'generic_id', otherName?: string) => (
    <InPlace
      key={field}
      label={t(`field.${field}`)}
      value={product[field]}
      isReadOnly={isReadOnly}
      check={(value) => (value === '' && otherName === '' ? t('nameNeeded') : checks.text(field)(value))}
      onSave={(value) => save({ [field]: value })}
    />
  );
  return (
    <Card title={t('about')}>
      <Facts
        facts={[
          [
            t('field.iv_id'),
            <span key="iv_id" className="ltr">
              {product.iv_id}
            </span>,
          ],
          [t('field.name_en'), text('name_en', product.name_ar)],
          [t('field.name_ar'), text('name_ar', product.name_en)],
          [t('field.brand_id'), <Group key="brand" kind="brand" {...{ product, save, isReadOnly }} />],
          [t('field.category_id'), <Group key="category" kind="category" {...{ product, save, isReadOnly }} />],
          [t('field.generic_id'), text('generic_id')],
        ]}
      />
    </Card>
  );
}

function Group({ kind, product, save, isReadOnly }: Props & { kind: GroupKind }): ReactNode {
  const t = useWords(productsWords);
  const name = useName();
  const explain = useExplainError();
  const field = kind === 'brand' ? 'brand_id' : 'category_id';
  const id = product[field] ?? undefined;
  const group = useGroup(kind, id);
  const change = useMutation({
    mutationFn: (next: string | undefined) => save({ [field]: next ?? null }),
    onError: (error) => showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint }),
  });
  if (isReadOnly) return group === undefined ? <span className="soft">{t('none')}</span> : name(group);
  return (
    <div className="product-group">
      <GroupPicker kind={kind} id={id} hideLabel onChoose={(next) => change.mutate(next)} />
    </div>
  );
}

export function ProductPrice({ product, save, isReadOnly }: Props): ReactNode {
  const t = useWords(productsWords);
  const checks = useChecks();
  const { money, number } = useFormat();
  const { average_price: price, vat_value: vat, barcode } = product;
  const saveBarcode = async (text: string) => {
    try {
      await save({ barcode: text });
    } catch (error) {
      // Shown at the barcode field instead of a general conflict.
      if (error instanceof DukkanError && error.message === 'Duplicate barcode') {
        throw new DukkanError(t('barcodeTaken'), { status: 409, reason: 'barcode-taken' });
      }
      throw error;
    }
  };
  return (
    <Card title={t('selling')}>
      <Facts
        facts={[
          [
            t('field.average_price'),
            <strong key="price" className="product-price">
              <InPlace
                label={t('field.average_price')}
                value={String(price)}
                shown={money(price)}
                ltr
                isNumber
                isReadOnly={isReadOnly}
                check={checks.price}
                onSave={(text) => save({ average_price: readNumber(text) ?? 0 })}
              />
            </strong>,
          ],
          [
            t('field.vat_value'),
            <InPlace
              key="vat"
              label={t('field.vat_value')}
              value={String(vat)}
              shown={`${number(vat)}%`}
              ltr
              isNumber
              isReadOnly={isReadOnly}
              check={checks.vat}
              onSave={(text) => save({ vat_value: readNumber(text) ?? 0 })}
            />,
          ],
          [
            t('field.barcode'),
            <InPlace
              key="barcode"
              label={t('field.barcode')}
              value={barcode}
              ltr
              isReadOnly={isReadOnly}
              check={checks.text('barcode')}
              onSave={saveBarcode}
            />,
          ],
        ]}
      />
      {isWrongCheckDigit(barcode) && <p className="product-warning small">{t('checkDigit')}</p>}
      <BarcodePicture code={barcode} label={t('barcodePicture', { code: barcode })} />
    </Card>
  );
}
