import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLanguage, useName, useWords } from '../../../../i18n/index.ts';
import { FileButton } from '../../../../ui/file-button.tsx';
import { InPlace } from '../../../../ui/in-place.tsx';
import { Button, Card, ConfirmDialog, showToast } from '../../../../ui/index.ts';
import type { Product } from '../product-values.ts';
import { cropped } from './crop.ts';
import './images.css';
import { type Image, useImages } from './use-images.ts';
import { imagesWords } from './words.ts';

const KINDS = ['image/jpeg', 'image/png', 'image/webp'];
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_IMAGES = 8;
const MOST_CHARACTERS = 255;
const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }));

export function ProductImages({ product, isReadOnly }: { product: Product; isReadOnly: boolean }): ReactNode {
  const t = useWords(imagesWords);
  const { add, order, remove, describe, isBusy } = useImages(product);
  const [picture, setPicture] = useState<ImageBitmap>();
  const [removing, setRemoving] = useState<string>();
  const { images } = product;

  async function choose([file]: File[]): Promise<void> {
    if (file === undefined) return;
    const refuse = (text: string) => showToast({ tone: 'bad', text });
    if (!KINDS.includes(file.type)) return refuse(t('wrongKind', { name: file.name }));
    if (file.size > MOST_BYTES) return refuse(t('tooLarge', { name: file.name }));
    try {
      setPicture(await createImageBitmap(file));
    } catch {
      refuse(t('unreadable', { name: file.name }));
    }
  }
  return (
    <Card
      title={t('title')}
      tools={
        !isReadOnly &&
        images.length < MOST_IMAGES && (
          <FileButton accepts={KINDS} icon="plus" isPending={add.isPending} onFiles={(files) => void choose(files)}>
            {t('add')}
          </FileButton>
        )
      }
    >
      {images.length === 0 && <p className="soft small">{t('none')}</p>}
      <ul className="product-images">
        {images.map((image, index) => (
          <OneImage
            key={image.id}
            {...{ image, index, product, isReadOnly, isBusy }}
            onMove={(by) => order.mutate({ id: image.id, by })}
            onRemove={() => setRemoving(image.id)}
            onDescribe={(texts) => describe(image.id, texts)}
          />
        ))}
      </ul>
      {!isReadOnly && <p className="soft small">{images.length < MOST_IMAGES ? t('rules') : t('full')}</p>}
      {picture !== undefined && (
        <Suspense>
          <CropDialog
            picture={picture}
            isBusy={add.isPending}
            onClose={() => setPicture(undefined)}
            onUse={async (crop) => {
              await add.mutateAsync(await cropped(picture, crop)).catch(() => undefined);
              setPicture(undefined);
            }}
          />
        </Suspense>
      )}
      <ConfirmDialog
        title={t('removeTitle')}
        isOpen={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        onConfirm={() => remove.mutate(removing ?? '', { onSettled: () => setRemoving(undefined) })}
        confirm={t('removeConfirm')}
        isBusy={remove.isPending}
        danger
      >
        <p>{t('removeText')}</p>
      </ConfirmDialog>
    </Card>
  );
}

function OneImage(props: {
  image: Image;
  index: number;
  product: Product;
  isReadOnly: boolean;
  isBusy: boolean;
  onMove(by: 1 | -1): void;
  onRemove(): void;
  onDescribe(texts: { alt_en?: string; alt_ar?: string }): Promise<void>;
}): ReactNode {
  const { image, index, product, isReadOnly, isBusy, onMove, onRemove, onDescribe } = props;
  const t = useWords(imagesWords);
  const name = useName();
  const language = useLanguage();
  const number = index + 1;
  const described = language === 'ar' ? image.alt_ar : image.alt_en;
  const text = (field: 'alt_en' | 'alt_ar', label: string) => (
    <InPlace
      label={`${label}, ${number}`}
      value={image[field]}
      empty={t('addAlt')}
      isReadOnly={isReadOnly}
      check={(value) => (value.length > MOST_CHARACTERS ? t('tooLong', { count: MOST_CHARACTERS }) : undefined)}
      onSave={(value) => onDescribe({ [field]: value })}
    />
  );
  return (
    <li>
      <img
        src={image.url}
        alt={described || t('alt', { number, product: name(product) || product.iv_id })}
        width={96}
        height={96}
        loading="lazy"
      />
      <div className="product-image-texts">
        {index === 0 && <span className="small strong">{t('main')}</span>}
        <span className="soft small">{t('altEn')}</span>
        {text('alt_en', t('altEn'))}
        <span className="soft small">{t('altAr')}</span>
        {text('alt_ar', t('altAr'))}
      </div>
      {!isReadOnly && (
        <div className="product-image-tools">
          <Button
            size="small"
            icon="up"
            aria-label={t('earlier', { number })}
            isDisabled={isBusy || index === 0}
            onPress={() => onMove(-1)}
          />
          <Button
            size="small"
            icon="down"
            aria-label={t('later', { number })}
            isDisabled={isBusy || index === product.images.length - 1}
            onPress={() => onMove(1)}
          />
          <Button
            size="small"
            icon="close"
            aria-label={t('remove', { number })}
            isDisabled={isBusy}
            onPress={onRemove}
          />
        </div>
      )}
    </li>
  );
}
