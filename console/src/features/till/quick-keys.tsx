import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useEffect, useState } from 'react';
import { useName, useWords } from '../../i18n/index.ts';
import { useApi, useExplainError, useRead } from '../../platform/index.ts';
import { Button, Kbd, showToast } from '../../ui/index.ts';
import { ProductPicture } from '../../ui/product-picture.tsx';
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
        {keys.map((key, index) =>
          key === null ? null : (
            <li key={key.iv_id}>
              <button type="button" className="quick-key" disabled={isDisabled} onClick={() => void add(key)}>
                <TilePicture product={key.product_iv_id} name={name(key)} />
                <span className="quick-key-name small">{name(key)}</span>
                <Kbd>{index + 1}</Kbd>
              </button>
              {isEditing && (
                <Button
                  size="small"
                  icon="close"
                  aria-label={t('unpin', { name: name(key) })}
                  onPress={() => unpin(key.iv_id)}
                />
              )}
            </li>
          ),
        )}
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

function TilePicture({ product, name }: { product: string; name: string }): ReactNode {
  const { data } = useRead('getProduct', { path: { ivId: product } });
  return <ProductPicture images={data?.images} name={name} size="large" />;
}
