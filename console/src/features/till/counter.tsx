import type { Schemas } from '@dukkan/sdk';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { digitsOf } from '../../i18n/currency-digits.ts';
import { useWords } from '../../i18n/index.ts';
import { useMay, useOrganization } from '../../platform/index.ts';
import { Button, Card, Kbd, Notice, showToast } from '../../ui/index.ts';
import { type CartLine, sumsOf, withAdded, withQuantity, withRestored } from './cart.ts';
import { CartLines } from './cart-lines.tsx';
import { FindField } from './find-field.tsx';
import { LeftCarts } from './left-carts.tsx';
import { Payment, type PaymentChoice } from './payment.tsx';
import { QuickKeys } from './quick-keys.tsx';
import { Refusal } from './refusal.tsx';
import { Sold } from './sold.tsx';
import { EMPTY_CART, useCart } from './use-cart.ts';
import type { QuickKey } from './use-quick-keys.ts';
import { useSale } from './use-sale.ts';
import { tillWords } from './words.ts';

/** One sale after the other in one branch. */
export function Counter({ branch, branchName, currency }: { branch: string; branchName: string; currency: string }) {
  const t = useWords(tillWords);
  const maySell = useMay()('create:Orders');
  const place = `${useOrganization().id}.${branch}`;
  const { cart, setCart, isReady, left, drop } = useCart(place);
  const sales = useRef(0);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const [lastChoice, setLastChoice] = useState<PaymentChoice>({ method: 'cash' });
  const field = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const sale = useSale(place);
  const digits = digitsOf(currency);
  const sums = sumsOf(cart.lines, cart.discount, digits);
  const isStill = sale.isSelling || sale.isLost || !isReady;

  useEffect(() => {
    if (!isStill && sale.sold === undefined) field.current?.focus();
  }, [isStill, sale.sold]);
  // A completed sale clears the cart, whichever attempt completed it.
  const isSold = sale.sold !== undefined;
  useEffect(() => {
    if (!isSold) return;
    sales.current += 1;
    setCart(EMPTY_CART);
  }, [isSold, setCart]);
  useKeysToField(field, sale.sold === undefined);

  function change(lines: CartLine[], onto?: string): void {
    sale.forgetRefusal();
    setCart({ ...cart, lines });
    setChosen(onto ?? (lines.some(({ sku }) => sku === chosen) ? chosen : lines.at(-1)?.sku));
  }
  function add(sku: Schemas['Sku'], quantity = 1): void {
    sale.forgetRefusal();
    // Uses the cart at the time of the answer: two scans may be pending.
    setCart((now) => ({ ...now, lines: withAdded(now.lines, sku, quantity) }));
    setChosen(sku.iv_id);
  }
  const setQuantity = (sku: string, quantity: number) =>
    quantity > 0 ? change(withQuantity(cart.lines, sku, quantity), sku) : remove([sku]);
  /** With an undo, unless the next sale has begun. */
  function remove(skus: readonly string[]): void {
    const removed = cart.lines.filter(({ sku }) => skus.includes(sku));
    if (removed.length === 0) return;
    const sale = sales.current;
    change(cart.lines.filter(({ sku }) => !skus.includes(sku)));
    showToast({
      tone: 'info',
      text: t('removed', { count: removed.length }),
      action: {
        text: t('undo'),
        run: () => sale === sales.current && setCart((now) => ({ ...now, lines: withRestored(now.lines, removed) })),
      },
    });
  }
  function sell(choice: PaymentChoice, allowNegative = false): void {
    if (sums.discount === undefined || cart.lines.length === 0) return;
    setLastChoice(choice);
    sale.sell(
      {
        branch_iv_id: branch,
        lines: cart.lines.map(({ sku, quantity }) => ({ sku_iv_id: sku, quantity })),
        payment_method: choice.method,
        ...(sums.discount > 0 && { discounts_amount: sums.discount }),
        ...(choice.customer && { customer: choice.customer }),
        ...(allowNegative && { allow_negative_stock: true }),
      },
      choice.cash,
    );
  }
  function press(event: KeyboardEvent): void {
    const at = Math.max(
      0,
      cart.lines.findIndex(({ sku }) => sku === chosen),
    );
    const line = cart.lines[at];
    const isSell = event.key === 'F9' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey));
    if (isSell && maySell) form.current?.requestSubmit();
    else if (event.ctrlKey || event.metaKey || line === undefined) return;
    else if (event.key === 'ArrowDown') setChosen(cart.lines[Math.min(at + 1, cart.lines.length - 1)]?.sku);
    else if (event.key === 'ArrowUp') setChosen(cart.lines[Math.max(at - 1, 0)]?.sku);
    else if (event.key === '+' || event.key === '=') setQuantity(line.sku, line.quantity + 1);
    else if (event.key === '-') setQuantity(line.sku, line.quantity - 1);
    else if (event.key === 'Delete') remove([line.sku]);
    else if (event.key === 'Enter' || event.key === 'F2')
      form.current?.querySelector<HTMLInputElement>('[name="given"]')?.focus();
    else return;
    event.preventDefault();
  }

  if (sale.sold !== undefined) return <Sold sale={sale.sold} branch={branchName} onNext={sale.next} />;
  return (
    <div className="till">
      <div className="till-goods">
        {sale.isLost && (
          <Notice tone="warn">
            <strong>{t('lostTitle')}</strong>
            <p>{t('lostText')}</p>
            <Button isDisabled={sale.isSelling} onPress={sale.again}>
              {sale.isSelling ? t('trying') : t('tryAgain')}
            </Button>
          </Notice>
        )}
        {sale.refusal !== undefined && (
          <Refusal
            refusal={sale.refusal}
            lines={cart.lines}
            onTakeLeft={(left) =>
              change(left.reduce((lines, one) => withQuantity(lines, one.sku, one.quantity), [...cart.lines]))
            }
            onSellAnyway={() => sell(lastChoice, true)}
          />
        )}
        <LeftCarts
          carts={left}
          isDisabled={isStill}
          onTake={(one) => {
            setCart((now) => ({ ...now, lines: withRestored(now.lines, one.lines) }));
            drop(one);
          }}
          onDrop={drop}
        />
        <FindField
          branch={branch}
          currency={currency}
          inputRef={field}
          isDisabled={isStill}
          onAdd={add}
          onKey={press}
        />
        <QuickKeys
          place={place}
          line={pinnable(
            cart.lines.find(({ sku }) => sku === chosen),
            branch,
          )}
          isDisabled={isStill}
          onAdd={add}
        />
        <Card
          title={cart.lines.length === 0 ? t('cart') : t('cartCount', { count: cart.lines.length })}
          flush
          tools={
            cart.lines.length > 0 && (
              <Button
                look="quiet"
                size="small"
                isDisabled={isStill}
                onPress={() => remove(cart.lines.map(({ sku }) => sku))}
              >
                {t('clear')}
              </Button>
            )
          }
        >
          <CartLines
            lines={cart.lines}
            chosen={chosen}
            currency={currency}
            digits={digits}
            isDisabled={isStill}
            onChoose={setChosen}
            onQuantity={setQuantity}
            onDone={({ pointerType }) => pointerType !== 'touch' && field.current?.focus()}
          />
        </Card>
        <KeyHelp />
      </div>
      <Payment
        sums={sums}
        discount={cart.discount}
        onDiscount={(discount) => setCart({ ...cart, discount })}
        currency={currency}
        isEmpty={cart.lines.length === 0}
        isDisabled={isStill}
        isSelling={sale.isSelling}
        maySell={maySell}
        formRef={form}
        onSell={sell}
      />
    </div>
  );
}

/** The code of an SKU is the product's, an underscore and the branch's. */
function pinnable(line: CartLine | undefined, branch: string): QuickKey | undefined {
  if (line === undefined) return undefined;
  const { sku, name_en, name_ar } = line;
  return { iv_id: sku, product_iv_id: sku.slice(0, -branch.length - 1), name_en, name_ar };
}

function KeyHelp(): ReactNode {
  const t = useWords(tillWords);
  const keys = [
    ['↵', t('key.add')],
    ['↑ ↓', t('key.lines')],
    ['+ −', t('key.quantity')],
    ['Del', t('key.remove')],
    ['F2', t('key.pay')],
    ['F9', t('key.sell')],
  ] as const;
  return (
    <ul className="till-keys soft small" aria-label={t('keys')}>
      {keys.map(([key, does]) => (
        <li key={key}>
          <Kbd>{key}</Kbd> {does}
        </li>
      ))}
    </ul>
  );
}

/** A scan without focus goes to the field, and F9 charges from anywhere on the page. */
function useKeysToField(field: { current: HTMLInputElement | null }, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const press = (event: globalThis.KeyboardEvent) => {
      const isElsewhere = document.activeElement === document.body || document.activeElement === null;
      if (isElsewhere && /^[0-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey) field.current?.focus();
    };
    window.addEventListener('keydown', press, true);
    return () => window.removeEventListener('keydown', press, true);
  }, [field, isOn]);
}
