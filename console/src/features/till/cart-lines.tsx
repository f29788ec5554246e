import { type ReactNode, useEffect, useState } from 'react';
import { useFormat, useName, useWords } from '../../i18n/index.ts';
import { readNumber } from '../../i18n/read-number.ts';
import { Button, EmptyState } from '../../ui/index.ts';
import { type CartLine, lineTotal } from './cart.ts';
import { tillWords } from './words.ts';

type Pressed = { pointerType: string };
type Props = {
  lines: readonly CartLine[];
  chosen: string | undefined;
  currency: string;
  digits: number;
  isDisabled: boolean;
  onChoose(sku: string): void;
  onQuantity(sku: string, quantity: number): void;
  /** After a press by mouse or key the scanner's field takes the focus back; a finger would only bring up the keyboard. */
  onDone(pressed: Pressed): void;
};

export function CartLines(props: Props): ReactNode {
  const t = useWords(tillWords);
  if (props.lines.length === 0) return <EmptyState icon="till" title={t('empty')} hint={t('emptyHint')} />;
  return (
    <ul className="till-lines" aria-label={t('cart')}>
      {props.lines.map((line) => (
        <OneLine key={line.sku} {...props} line={line} />
      ))}
    </ul>
  );
}

function OneLine({ line, chosen, currency, digits, isDisabled, ...on }: Props & { line: CartLine }): ReactNode {
  const t = useWords(tillWords);
  const nameOf = useName();
  const { money } = useFormat();
  const name = nameOf(line);
  const step = (by: number) => (pressed: Pressed) => {
    on.onChoose(line.sku);
    on.onQuantity(line.sku, line.quantity + by);
    on.onDone(pressed);
  };
  return (
    <li className="till-line" aria-current={chosen === line.sku || undefined}>
      <div className="till-line-name">
        <span>{name}</span>
        <span className="small">
          {line.quantity > line.stock ? (
            <span className="till-short">{t('moreThanStock', { count: line.stock })}</span>
          ) : (
            <span className="soft">{t('each', { price: money(line.price, currency) })}</span>
          )}
        </span>
      </div>
      <div className="till-steps">
        <Button aria-label={t('fewer', { name })} icon="minus" isDisabled={isDisabled} onPress={step(-1)} />
        <QuantityField
          label={t('quantityOf', { name })}
          quantity={line.quantity}
          isDisabled={isDisabled}
          onQuantity={(quantity) => on.onQuantity(line.sku, quantity)}
        />
        <Button aria-label={t('more', { name })} icon="plus" isDisabled={isDisabled} onPress={step(1)} />
      </div>
      <span className="strong till-line-total">{money(lineTotal(line, digits), currency)}</span>
      <Button
        look="quiet"
        icon="close"
        aria-label={t('remove', { name })}
        isDisabled={isDisabled}
        onPress={(pressed) => {
          on.onQuantity(line.sku, 0);
          on.onDone(pressed);
        }}
      />
    </li>
  );
}

/** A typed number is applied; on blur the field shows the current quantity. */
function QuantityField(props: {
  label: string;
  quantity: number;
  isDisabled: boolean;
  onQuantity(quantity: number): void;
}): ReactNode {
  const { quantity, onQuantity } = props;
  const [typed, setTyped] = useState(String(quantity));
  useEffect(() => setTyped(String(quantity)), [quantity]);
  return (
    <input
      className="ui-input till-quantity"
      inputMode="decimal"
      aria-label={props.label}
      disabled={props.isDisabled}
      value={typed}
      onFocus={(event) => event.target.select()}
      onChange={(event) => {
        setTyped(event.target.value);
        const read = readNumber(event.target.value);
        if (read !== undefined && read > 0) onQuantity(read);
      }}
      onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      onBlur={() => setTyped(String(quantity))}
    />
  );
}
