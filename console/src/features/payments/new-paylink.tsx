import type { Schemas } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { commonWords, useName, useWords } from '../../i18n/index.ts';
import {
  fieldErrors,
  useApi,
  useDraft,
  useExplainError,
  useHasDraft,
  useMay,
  useOrganization,
  useReadAgain,
} from '../../platform/index.ts';
import { Button, Dialog, Field, Notice, Segments, Select } from '../../ui/index.ts';
import { RestoredNotice } from '../../ui/leave-guard.tsx';
import { type Found, OrderChoice } from './order-choice.tsx';
import type { Paylink, Provider } from './tones.ts';
import { paymentsWords } from './words.ts';

const EMPTY = { amount: '', currency: 'SAR', customer: { name: '', phone: '', email: '' } };

/** For an order or a free amount; accounts of one branch create them for orders only. */
export function NewPaylinkDialog(props: {
  makers: readonly Provider[];
  onClose(): void;
  onMade(paylink: Paylink): void;
}): ReactNode {
  const t = useWords(paymentsWords);
  const common = useWords(commonWords);
  const name = useName();
  const { makers, onClose, onMade } = props;
  const mayOrders = useMay()('read:Orders');
  const isWhole = useOrganization().branch_id === null;
  const isUnfinished = useHasDraft('paylink');
  const [maker, setMaker] = useState(makers[0]?.id ?? '');
  const [kind, setKind] = useState<'order' | 'amount'>(mayOrders && !isUnfinished ? 'order' : 'amount');
  const [order, setOrder] = useState<Found>();
  const { values, setValues, isRestored, clear } = useDraft('paylink', EMPTY);
  const { amount, currency, customer } = values;
  const setCustomer = (next: typeof customer) => setValues((before) => ({ ...before, customer: next }));
  const close = () => {
    clear();
    onClose();
  };
  const [isTried, setTried] = useState(false);
  const api = useApi();
  const readAgain = useReadAgain();
  const explain = useExplainError();
  const formId = useId();
  const value = Number(amount.replace(',', '.'));
  const isAmount = amount.trim() !== '' && Number.isFinite(value) && value > 0;
  const make = useMutation({
    mutationFn: () => api.call('createPaylink', { path: { id: maker }, body: bodyOf() }),
    onSuccess: async ({ data }) => {
      clear();
      await readAgain('listPaylinks');
      onMade(data);
    },
  });
  function bodyOf(): Schemas['NewPaylink'] {
    if (kind === 'order') return { order_id: order?.id ?? null };
    const given = Object.fromEntries(Object.entries(customer).filter(([, text]) => text.trim() !== ''));
    return { amount: value, currency: currency.trim().toUpperCase(), customer: given };
  }
  function send(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (kind === 'order' ? order === undefined : !isAmount) return;
    make.mutate();
  }
  const errors = fieldErrors(make.error);
  const isShown = errors.amount !== undefined || errors.currency !== undefined;
  const refused = make.error === null || isShown ? undefined : explain(make.error);
  return (
    <Dialog
      title={t('newPaylink')}
      isOpen
      onClose={close}
      isFilled={isRestored}
      foot={
        <>
          <Button onPress={close}>{common('cancel')}</Button>
          <Button type="submit" form={formId} look="primary" isPending={make.isPending}>
            {t('makeLink')}
          </Button>
        </>
      }
    >
      <form id={formId} className="payments-form" onSubmit={send} noValidate>
        <RestoredNotice isShown={isRestored} />
        {refused !== undefined && (
          <Notice tone="bad">
            {refused.title} {refused.hint}
          </Notice>
        )}
        {makers.length > 1 && (
          <Select
            label={t('provider')}
            value={maker}
            onChange={setMaker}
            options={makers.map((one) => ({ value: one.id, text: name(one) }))}
          />
        )}
        {isWhole && mayOrders && (
          <Segments<'order' | 'amount'>
            label={t('column.for')}
            value={kind}
            onChange={setKind}
            options={[
              { value: 'order', text: t('anOrder') },
              { value: 'amount', text: t('anAmount') },
            ]}
          />
        )}
        {kind === 'order' ? (
          <>
            <OrderChoice chosen={order} onChoose={setOrder} unpaid />
            {isTried && order === undefined && <span className="ui-error-text">{t('chooseOrder')}</span>}
          </>
        ) : (
          <>
            <div className="payments-two">
              <Field
                label={t('column.amount')}
                value={amount}
                onChange={(text) => setValues((before) => ({ ...before, amount: text }))}
                error={errors.amount ?? (isTried && !isAmount ? t('needsAmount') : undefined)}
                inputMode="decimal"
                autoFocus
                ltr
              />
              <Field
                label={t('currency')}
                value={currency}
                onChange={(text) => setValues((before) => ({ ...before, currency: text }))}
                error={errors.currency}
                maxLength={3}
                ltr
              />
            </div>
            <Field
              label={t('customerName')}
              value={customer.name}
              onChange={(text) => setCustomer({ ...customer, name: text })}
            />
            <div className="payments-two">
              <Field
                label={t('customerPhone')}
                value={customer.phone}
                onChange={(text) => setCustomer({ ...customer, phone: text })}
                error={errors['customer.phone']}
                inputMode="tel"
                ltr
              />
              <Field
                label={t('customerEmail')}
                value={customer.email}
                onChange={(text) => setCustomer({ ...customer, email: text })}
                error={errors['customer.email']}
                inputMode="email"
                ltr
              />
            </div>
          </>
        )}
      </form>
    </Dialog>
  );
}
