import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useEffect, useState } from 'react';
import { useName, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useRead } from '../../platform/index.ts';
import { Button, Kbd, showToast } from '../../ui/index.ts';
import { ProductPicture } from '../../ui/product-picture.tsx';
import { splitName } from '../../ui/product-variants.ts';
import { type Entry, toEntries } from './entries.ts';
import './quick-keys.css';
import { quickKeysWords } from './quick-keys-words.ts';
import { type QuickKey, useQuickKeys } from './use-quick-keys.ts';

type Sku = Schemas['Sku'];

/**
 * Tiles of pinned goods. Alt with 1 to 9 adds one: digits alone belong to the scanner. The price and stock are read when a tile is used, so a
 * tile is never out of date.
 */
export function QuickKeys(props: {
  place: string;
  /** The line of the cart that can be pinned. */
  line: QuickKey | undefined;
  isDisabled: boolean;
  onAdd(sku: Sku): void;
}): ReactNode {
  const { place, line, isDisabled, onAdd } = props;
  const t = useWords(quickKeysWords);
  const name = useName();
  const api = useApi();
  const explain = useExplainError();
  const { keys, isFull, pin, unpin } = useQuickKeys(place);
  const [isEditing, setEditing] = useState(false);
  const isPinnable = line !== undefined && !isFull && !keys.some((key) => key?.iv_id === line.iv_id);

  async function add({ iv_id }: QuickKey): Promise<void> {
    try {
      onAdd(await api.call('getSku', { path: { ivId: iv_id } }));
    } catch (error) {
      showToast({ tone: 'bad', text: explain(error).title, detail: explain(error).hint });
    }
  }
  useEffect(() => {
    if (isDisabled) return;
    const press = (event: globalThis.KeyboardEvent) => {
      // By position: with Alt, some layouts write other signs than digits.
      const [, digit] = /^(?:Digit|Numpad)([1-9])$/.exec(event.code) ?? [];
      const key = digit === undefined || !event.altKey ? undefined : keys[Number(digit) - 1];
      if (key == null || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      void add(key);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
  if (keys.length === 0 && !isPinnable) return null;
  return (
    <section className="quick-keys" aria-label={t('title')}>
      <ul>
        {toEntries(keys.filter((key) => key !== null)).map((entry) => (
          <li key={entry[0].iv_id} data-variants={entry.length > 1 || undefined}>
            <Tile entry={entry} numberOf={(key) => keys.indexOf(key) + 1} isDisabled={isDisabled} onAdd={add} />
            {isEditing && (
              <span className="quick-key-unpin">
                {entry.map((key) => (
                  <Button
                    key={key.iv_id}
                    size="small"
                    icon="close"
                    aria-label={t('unpin', { name: name(key) })}
                    onPress={() => unpin(key.iv_id)}
                  />
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
      <div className="quick-keys-tools small soft">
        {isPinnable && (
          <Button size="small" look="quiet" icon="pin" onPress={() => pin(line)}>
            {t('pin', { name: name(line) })}
          </Button>
        )}
        {keys.length > 0 && (
          <>
            <Button size="small" look="quiet" onPress={() => setEditing(!isEditing)}>
              {t(isEditing ? 'editDone' : 'edit')}
            </Button>
            <span>{t('hint')}</span>
          </>
        )}
      </div>
    </section>
  );
}

/** One pinned SKU, or the pinned variants of one product with a button for each. */
function Tile(props: {
  entry: Entry<QuickKey>;
  numberOf(key: QuickKey): number;
  isDisabled: boolean;
  onAdd(key: QuickKey): Promise<void>;
}): ReactNode {
  const { entry, numberOf, isDisabled, onAdd } = props;
  const name = useName();
  const [first, ...others] = entry;
  if (others.length === 0) {
    return (
      <button type="button" className="quick-key" disabled={isDisabled} onClick={() => void onAdd(first)}>
        <TilePicture product={first.product_iv_id} name={name(first)} />
        <span className="quick-key-name small">{name(first)}</span>
        <Kbd>{numberOf(first)}</Kbd>
      </button>
    );
  }
  const base = splitName(name(first))?.base ?? name(first);
  return (
    <fieldset className="quick-key" aria-label={base}>
      <TilePicture product={first.product_iv_id} name={base} />
      <span className="quick-key-name small">{base}</span>
      <span className="quick-key-variants">
        {entry.map((key) => (
          <button
            type="button"
            key={key.iv_id}
            disabled={isDisabled}
            aria-label={name(key)}
            onClick={() => void onAdd(key)}
          >
            <Kbd>{numberOf(key)}</Kbd> {splitName(name(key))?.label ?? name(key)}
          </button>
        ))}
      </span>
    </fieldset>
  );
}

function TilePicture({ product, name }: { product: string; name: string }): ReactNode {
  const { data } = useRead('getProduct', { path: { ivId: product } });
  return <ProductPicture images={data?.images} name={name} size="large" />;
}
