import type { Schemas } from '@dukkan/sdk';
import type { ReactNode } from 'react';
import { useFormat, useName, useWords } from '../../i18n/index.ts';
import { ProductPicture } from '../../ui/product-picture.tsx';
import { splitName } from '../../ui/product-variants.ts';
import type { Entry } from './entries.ts';
import { tillWords } from './words.ts';

type Sku = Schemas['Sku'];

/** One of the goods that a search found, or a product that opens its variants. */
export function FoundOption(props: {
  id: string;
  entry: Entry<Sku>;
  currency: string;
  images: Schemas['Product']['images'] | undefined;
  isActive: boolean;
  onTake(): void;
}): ReactNode {
  const { id, entry, currency, images, isActive, onTake } = props;
  const name = useName();
  const [first, ...others] = entry;
  const isGroup = others.length > 0;
  const title = isGroup ? (splitName(name(first))?.base ?? name(first)) : name(first);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys go through the list
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className="till-option"
      onPointerDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      <ProductPicture images={images} name={title} />
      <span className="ui-cell-two">
        <span className="clip">{title}</span>
        {isGroup ? <Labels entry={entry} /> : <span className="ltr soft small">{first.product_iv_id}</span>}
      </span>
      {isGroup ? <GroupEnd entry={entry} currency={currency} /> : <SkuEnd sku={first} currency={currency} />}
    </div>
  );
}

function Labels({ entry }: { entry: Entry<Sku> }): ReactNode {
  const name = useName();
  return <span className="clip soft small">{entry.map((sku) => splitName(name(sku))?.label).join(' · ')}</span>;
}

function GroupEnd({ entry, currency }: { entry: Entry<Sku>; currency: string }): ReactNode {
  const t = useWords(tillWords);
  const { money } = useFormat();
  const lowest = Math.min(...entry.map(({ effective_price }) => effective_price));
  return (
    <span className="ui-cell-two till-option-end">
      <span className="strong">{t('from', { price: money(lowest, currency) })}</span>
      <span className="soft small">{t('variants', { count: entry.length })}</span>
    </span>
  );
}

function SkuEnd({ sku, currency }: { sku: Sku; currency: string }): ReactNode {
  const t = useWords(tillWords);
  const { money } = useFormat();
  return (
    <span className="ui-cell-two till-option-end">
      <span className="strong">{money(sku.effective_price, currency)}</span>
      <span className={sku.current_qty > 0 ? 'soft small' : 'till-short small'}>
        {sku.current_qty > 0 ? t('inStock', { count: sku.current_qty }) : t('outOfStock')}
      </span>
    </span>
  );
}
