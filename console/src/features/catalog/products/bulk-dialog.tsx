import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useName, useWords } from '../../../i18n/index.ts';
import { Button, Dialog, Field, Segments } from '../../../ui/index.ts';
import { GroupPicker } from '../group-picker.tsx';
import { readNumber } from '../read-number.ts';
import { type BulkChange, type Product, type ProductValues, useChecks } from './product-values.ts';
import { productsWords } from './words.ts';

const PRICE_MODES = ['keep', 'set', 'percent'] as const;
type PriceMode = (typeof PRICE_MODES)[number];
const SHOWN = 4;

export function BulkDialog(props: {
  products: readonly Product[];
  isBusy: boolean;
  onApply(change: BulkChange): void;
  onClose(): void;
}): ReactNode {
  const t = useWords(productsWords);
  const common = useWords(commonWords);
  const name = useName();
  const checks = useChecks();
  const { money } = useFormat();
  const { products } = props;
  const [mode, setMode] = useState<PriceMode>('keep');
  const [price, setPrice] = useState('');
  const [vat, setVat] = useState('');
  const [brand, setBrand] = useState<string>();
  const [category, setCategory] = useState<string>();
  const amount = readNumber(price);
  const priceError =
    mode === 'keep' || price === ''
      ? undefined
      : mode === 'set'
        ? checks.price(price)
        : amount === undefined || amount < -100
          ? t('notANumber')
          : undefined;
  const vatError = vat === '' ? undefined : checks.vat(vat);
  const hasPrice = mode !== 'keep' && amount !== undefined && priceError === undefined;
  const change: BulkChange = (product) => ({
    ...(hasPrice && { average_price: mode === 'set' ? amount : raised(product.average_price, amount) }),
    ...(vat !== '' && { vat_value: readNumber(vat) ?? 0 }),
    ...(brand !== undefined && { brand_id: brand }),
    ...(category !== undefined && { category_id: category }),
  });
  const isNothing = Object.keys(change(products[0] as Product)).length === 0;
  const isWrong = priceError !== undefined || vatError !== undefined || (mode !== 'keep' && !hasPrice);
  return (
    <Dialog
      title={t('bulk.title', { count: products.length })}
      isOpen
      onClose={props.onClose}
      foot={
        <>
          <Button onPress={props.onClose}>{common('cancel')}</Button>
          <Button
            look="primary"
            isDisabled={isNothing || isWrong}
            isPending={props.isBusy}
            onPress={() => props.onApply(change)}
          >
            {t('apply')}
          </Button>
        </>
      }
    >
      <div className="catalog-stack">
        <div className="ui-field">
          <span className="ui-label">{t('bulk.price')}</span>
          <Segments
            label={t('bulk.price')}
            value={mode}
            onChange={(value) => setMode(value)}
            options={PRICE_MODES.map((value) => ({ value, text: t(`bulk.price.${value}`) }))}
          />
        </div>
        {mode !== 'keep' && (
          <Field
            label={t(`bulk.price.${mode}`)}
            value={price}
            onChange={setPrice}
            error={priceError}
            ltr
            inputMode="decimal"
            {...(mode === 'percent' && { hint: t('bulk.price.percentHint') })}
          />
        )}
        {hasPrice && (
          <ul className="products-bulk-preview">
            {products.slice(0, SHOWN).map((product) => (
              <li key={product.iv_id}>
                <span className="clip">{name(product) || product.iv_id}</span>
                <span className="soft">{money(product.average_price)}</span>
                <span className="strong">{money(change(product).average_price ?? 0)}</span>
              </li>
            ))}
          </ul>
        )}
        <Field label={t('field.vat_value')} value={vat} onChange={setVat} error={vatError} ltr inputMode="decimal" />
        <GroupPicker kind="brand" id={brand} onChoose={setBrand} placeholder={t('bulk.price.keep')} />
        <GroupPicker kind="category" id={category} onChoose={setCategory} placeholder={t('bulk.price.keep')} />
        <p className="soft small">{t('bulk.groupHint')}</p>
      </div>
    </Dialog>
  );
}

function raised(price: number, percent: number): NonNullable<ProductValues['average_price']> {
  return Math.round(price * (100 + percent)) / 100;
}
