import type { ReactNode } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { Button, Notice } from '../../ui/index.ts';
import type { LeftCart } from './use-cart.ts';
import { tillWords } from './words.ts';

/** Carts of tabs that were closed before the sale: each is taken over or deleted, never merged by itself. */
export function LeftCarts(props: {
  carts: readonly LeftCart[];
  isDisabled: boolean;
  onTake(cart: LeftCart): void;
  onDrop(cart: LeftCart): void;
}): ReactNode {
  const t = useWords(tillWords);
  const { when } = useFormat();
  return props.carts.map((cart) => (
    <Notice key={cart.name}>
      <p>{t('leftCart', { count: cart.lines.length, time: when(new Date(cart.savedAt).toISOString()) })}</p>
      <Button size="small" isDisabled={props.isDisabled} onPress={() => props.onTake(cart)}>
        {t('takeCart')}
      </Button>{' '}
      <Button size="small" look="quiet" isDisabled={props.isDisabled} onPress={() => props.onDrop(cart)}>
        {t('dropCart')}
      </Button>
    </Notice>
  ));
}
