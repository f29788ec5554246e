import type { Schemas } from '@dukkan/sdk';
import { type FormEvent, type ReactNode, type Ref, useState } from 'react';
import { useFormat, useWords } from '../../i18n/index.ts';
import { readNumber } from '../../i18n/read-number.ts';
import { Button, Card, Field, Segments } from '../../ui/index.ts';
import { likelyNotes, type Sums } from './cart.ts';
import type { Cash } from './use-sale.ts';
import { tillWords } from './words.ts';

export type Method = Schemas['PaymentMethod'];
export type PaymentChoice = { method: Method; cash?: Cash; customer?: { name?: string; phone?: string } };
const METHODS: readonly Method[] = ['cash', 'debit_card', 'credit_card', 'wallet', 'bank_transfer'];

export function Payment(props: {
  sums: Sums;
  discount: string;
  onDiscount(text: string): void;
  currency: string;
  isEmpty: boolean;
  isDisabled: boolean;
  isSelling: boolean;
  /** Without the right to sell there is nothing to charge with. */
  maySell: boolean;
  formRef: Ref<HTMLFormElement>;
  onSell(choice: PaymentChoice): void;
}): ReactNode {
  const { sums, currency, isDisabled } = props;
  const t = useWords(tillWords);
  const { money, number } = useFormat();
  const [method, setMethod] = useState<Method>('cash');
  const [given, setGiven] = useState('');
  const [customer, setCustomer] = useState({ name: '', phone: '' });

  const paid = readNumber(given);
  const missing = paid === undefined ? 0 : sums.total - paid;
  const isReady =
    !props.isEmpty && !isDisabled && sums.discount !== undefined && !(method === 'cash' && missing > 0.001);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isReady || !props.maySell) return;
    const known = Object.fromEntries(Object.entries(customer).filter(([, text]) => text.trim() !== ''));
    props.onSell({
      method,
      ...(method === 'cash' && paid !== undefined && { cash: { given: paid, change: Math.max(0, -missing) } }),
      ...(Object.keys(known).length > 0 && { customer: known }),
    });
  }

  return (
    <Card title={t('payment')}>
      <form ref={props.formRef} className="till-payment" onSubmit={submit} noValidate>
        <dl className="till-sums">
          <dt className="soft">{t('subtotal')}</dt>
          <dd>{money(sums.subtotal, currency)}</dd>
          {sums.discount !== undefined && sums.discount > 0 && (
            <>
              <dt className="soft">{t('discount')}</dt>
              <dd>{money(-sums.discount, currency)}</dd>
            </>
          )}
          <dt className="till-total">{t('toPay')}</dt>
          <dd className="till-total" aria-live="polite">
            {money(sums.total, currency)}
          </dd>
        </dl>
        <Field
          label={t('discount')}
          hint={t('discountHint')}
          error={sums.discount === undefined ? t('discountBad') : undefined}
          value={props.discount}
          onChange={props.onDiscount}
          isDisabled={isDisabled}
          inputMode="decimal"
          ltr
        />
        <Segments<Method>
          label={t('payment')}
          value={method}
          onChange={(value) => setMethod(value)}
          options={METHODS.map((value) => ({ value, text: t(`method.${value}`) }))}
        />
        {method === 'cash' && (
          <div className="till-cash">
            <Field
              label={t('given')}
              value={given}
              onChange={setGiven}
              isDisabled={isDisabled}
              inputMode="decimal"
              name="given"
              ltr
            />
            <div className="till-notes">
              <Button isDisabled={props.isEmpty || isDisabled} onPress={() => setGiven(String(sums.total))}>
                {t('exact')}
              </Button>
              {!props.isEmpty &&
                likelyNotes(sums.total).map((note) => (
                  <Button key={note} isDisabled={isDisabled} onPress={() => setGiven(String(note))}>
                    {number(note)}
                  </Button>
                ))}
            </div>
            <p className="till-change" role="status">
              {paid === undefined || props.isEmpty ? (
                ' '
              ) : missing > 0.001 ? (
                <span className="till-short">{t('stillMissing', { amount: money(missing, currency) })}</span>
              ) : (
                <>
                  <span className="soft">{t('change')}</span>
                  <strong>{money(Math.max(0, -missing), currency)}</strong>
                </>
              )}
            </p>
          </div>
        )}
        <details className="till-customer">
          <summary className="soft">{t('customer')}</summary>
          <div className="till-customer-fields">
            <Field
              label={t('customerName')}
              value={customer.name}
              onChange={(name) => setCustomer({ ...customer, name })}
              isDisabled={isDisabled}
            />
            <Field
              label={t('customerPhone')}
              type="tel"
              value={customer.phone}
              onChange={(phone) => setCustomer({ ...customer, phone })}
              isDisabled={isDisabled}
              ltr
            />
          </div>
        </details>
        {props.maySell ? (
          <Button look="primary" type="submit" isDisabled={!isReady}>
            {props.isSelling ? t('selling') : t('sell', { amount: money(sums.total, currency) })}
          </Button>
        ) : (
          <p className="soft">{t('mayNotSell')}</p>
        )}
        <p className="soft small till-vat">{t('vatIn')}</p>
      </form>
    </Card>
  );
}
