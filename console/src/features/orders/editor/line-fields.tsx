import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useState } from 'react';
import { useFormat, useLanguage, useName, useWords } from '../../../i18n/index.ts';
import { useApi, useMay, useRead } from '../../../platform/index.ts';
import { DebouncedSearch } from '../../../ui/debounced-search.tsx';
import { Button, Card, Field, Loaded } from '../../../ui/index.ts';
import { STANDARD_PERCENT } from './amounts.ts';
import type { Faults, LineValues } from './values.ts';
import { editorWords } from './words.ts';

type Sku = Schemas['Sku'];
const MAX_FOUND = 6;

type Props = {
  lines: readonly LineValues[];
  onLines(lines: LineValues[]): void;
  /** Whose products can be added. */
  branchIvId: string | undefined;
  currency: string;
  faults: Faults;
  /** The VAT rate of products whose own is 0, which is also their default. */
  zeroPercent: number;
};

export function LineFields({ lines, onLines, branchIvId, currency, faults, zeroPercent }: Props): ReactNode {
  const t = useWords(editorWords);
  const nameOf = useLineName();
  const change = (index: number, part: Partial<LineValues>) =>
    onLines(lines.map((line, place) => (place === index ? { ...line, ...part } : line)));
  const wordFault = (field: string) => {
    const fault = faults[field];
    return fault === undefined ? undefined : t(`wrong.${fault}`);
  };
  return (
    <Card title={t('items')}>
      <div className="order-editor-part">
        {lines.length === 0 && <p className="soft">{t('noItems')}</p>}
        <ul className="order-editor-lines">
          {lines.map((line, index) => {
            const name = nameOf(line.stored);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a product may appear twice
              <li key={index}>
                <div className="order-editor-line-name">
                  <bdi>{name}</bdi>
                  <span className="ltr soft small">{line.stored.sku_id}</span>
                </div>
                <Field
                  label={t('quantity')}
                  aria-label={t('quantityOf', { name })}
                  value={line.quantity}
                  onChange={(quantity) => change(index, { quantity })}
                  error={wordFault(`lines.${index}.quantity`)}
                  inputMode="decimal"
                  ltr
                />
                <Field
                  label={t('price')}
                  aria-label={t('priceOf', { name })}
                  value={line.price}
                  onChange={(price) => change(index, { price })}
                  error={wordFault(`lines.${index}.price`)}
                  inputMode="decimal"
                  ltr
                />
                <Button
                  look="quiet"
                  icon="close"
                  aria-label={t('removeNamed', { name })}
                  onPress={() => onLines(lines.filter((_line, place) => place !== index))}
                />
              </li>
            );
          })}
        </ul>
        {faults.lines !== undefined && (
          <p className="ui-error-text" role="alert">
            {t('wrong.lines')}
          </p>
        )}
        <FindItem
          branchIvId={branchIvId}
          currency={currency}
          zeroPercent={zeroPercent}
          onAdd={(line) => {
            const place = lines.findIndex(({ stored }) => stored.sku_id === line.stored.sku_id);
            if (place === -1) onLines([...lines, line]);
            else change(place, { quantity: String(Number(lines[place]?.quantity ?? 0) + 1) });
          }}
        />
      </div>
    </Card>
  );
}

function useLineName(): (line: LineValues['stored']) => string {
  const isArabic = useLanguage() === 'ar';
  return ({ name, name_ar, sku_id }) => {
    const texts = (isArabic ? [name_ar, name] : [name, name_ar]).filter((text) => typeof text === 'string');
    return texts.find((text) => text !== '') ?? sku_id;
  };
}

/** The products of the branch with the price that it sells them at. */
function FindItem(props: {
  branchIvId: string | undefined;
  currency: string;
  zeroPercent: number;
  onAdd(line: LineValues): void;
}): ReactNode {
  const t = useWords(editorWords);
  const name = useName();
  const { money, number } = useFormat();
  const api = useApi();
  const may = useMay();
  const { branchIvId, currency, zeroPercent, onAdd } = props;
  const [text, setText] = useState('');
  const isAsked = branchIvId !== undefined && text !== '';
  const found = useRead(
    'listSkus',
    { query: { search: text, branch_iv_id: branchIvId ?? '', is_enabled: true, limit: MAX_FOUND, sort: 'name_en' } },
    { enabled: isAsked, keepPrevious: true },
  );
  async function add(sku: Sku): Promise<void> {
    const vatPercent = may('read:Products')
      ? await readVatPercent(api, sku.product_iv_id, zeroPercent)
      : STANDARD_PERCENT;
    onAdd(lineOf(sku, vatPercent));
  }
  if (branchIvId === undefined) return <p className="soft">{t('chooseBranch')}</p>;
  return (
    <div className="order-editor-part">
      <DebouncedSearch label={t('findItem')} placeholder={t('findItemHint')} text={text} onText={setText} />
      {isAsked && (
        <Loaded of={found} rows={2}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft small">{t('noneFound')}</p>
            ) : (
              <ul className="order-editor-found">
                {data.map((sku) => (
                  <li key={sku.iv_id}>
                    <span className="order-editor-line-name">
                      <bdi>{name(sku)}</bdi>
                      <span className="soft small">{t('inStock', { quantity: number(sku.current_qty) })}</span>
                    </span>
                    <span>{money(sku.effective_price, currency)}</span>
                    <Button size="small" aria-label={t('addNamed', { name: name(sku) })} onPress={() => void add(sku)}>
                      {t('addItem')}
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
    </div>
  );
}

function lineOf(sku: Sku, vatPercent: number): LineValues {
  return {
    stored: {
      product_id: sku.product_iv_id,
      sku_id: sku.iv_id,
      name: sku.name_en || sku.name_ar,
      name_ar: sku.name_ar,
      vat_value: vatPercent,
    },
    quantity: '1',
    price: String(sku.effective_price),
  };
}

async function readVatPercent(api: ReturnType<typeof useApi>, ivId: string, zeroPercent: number): Promise<number> {
  const product = await api.call('getProduct', { path: { ivId } }).catch(() => undefined);
  return product === undefined ? STANDARD_PERCENT : product.vat_value || zeroPercent;
}
