import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { digitsOf } from '../../../i18n/currency-digits.ts';
import { orderWords, useFormat, useWords } from '../../../i18n/index.ts';
import { readNumber } from '../../../i18n/read-number.ts';
import { useApi, useDraft, useRead, useReadAgain } from '../../../platform/index.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { useBranchList } from '../../../ui/branch-names.ts';
import { Card, Loaded, Notice, Page, Select, showToast } from '../../../ui/index.ts';
import { useMethodName } from '../../../ui/method-names.ts';
import { NeedsGrant } from '../../../ui/needs-grant.tsx';
import { AmountFields } from './amount-fields.tsx';
import { amountsOf, STANDARD_PERCENT } from './amounts.ts';
import { CustomerSearch } from './customer-search.tsx';
import { EditorForm, EditorSubmit } from './editor-form.tsx';
import { LineFields } from './line-fields.tsx';
import { newOrderBody, type PaymentValues } from './new-order-body.ts';
import { BranchField, CustomerFields, DeliveryFields } from './order-fields.tsx';
import { useBranchPrices } from './use-branch-prices.ts';
import { EMPTY_VALUES, type Faults, faultsOf, type OrderValues, PAYMENT_METHODS } from './values.ts';
import { editorWords } from './words.ts';

const PAYMENTS = { pending: 'payment.pending', completed: 'payment.paid' } as const;

type Draft = {
  values: OrderValues;
  payment: PaymentValues;
  /** Sent with the order: the same form places it once, however often it is sent. */
  key: string;
};

/** An order that the shop takes itself, such as by telephone. */
export function NewOrderPage(): ReactNode {
  const t = useWords(editorWords);
  const organization = useRead('getOrganization', {});
  return (
    <NeedsGrant grant="create:Orders" title={t('newOrder')}>
      <Loaded of={organization} rows={8}>
        {({ currency }) => <NewOrder currency={currency} />}
      </Loaded>
    </NeedsGrant>
  );
}

function NewOrder({ currency }: { currency: string }): ReactNode {
  const t = useWords(editorWords);
  const { timeZone } = useFormat();
  const api = useApi();
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  const branches = useBranchList();
  const [first] = useState<Draft>(() => ({
    values: EMPTY_VALUES,
    payment: { method: 'cash', status: 'pending' },
    key: crypto.randomUUID(),
  }));
  const draft = useDraft('order-new', first, { isUnchanged: ({ values: now }) => isEmpty(now, first.values) });
  const { payment, key } = draft.values;
  // An account of one branch has no choice.
  const only = branches.length === 1 ? (branches[0]?.id ?? '') : '';
  const values = { ...draft.values.values, branch: draft.values.values.branch || only };
  const setValues = (part: Partial<OrderValues>) =>
    draft.setValues((before) => ({ ...before, values: { ...before.values, ...part } }));
  const [faults, setFaults] = useState<Faults>({});
  const branch = branches.find(({ id }) => id === values.branch);
  const { moveTo, missing } = useBranchPrices(values.lines);
  async function changeBranch(id: string): Promise<void> {
    setValues({ branch: id });
    const to = branches.find((one) => one.id === id)?.ivId;
    if (to !== undefined && values.lines.length > 0) setValues({ lines: await moveTo(to, values.lines) });
  }
  const lines = values.lines.map(({ stored, quantity, price }) => ({
    price: readNumber(price) ?? 0,
    quantity: readNumber(quantity) ?? 0,
    vatPercent: Number(stored.vat_value ?? STANDARD_PERCENT),
  }));
  const amountIn = (text: string) => readNumber(text) ?? 0;
  const discount = amountIn(values.discount);
  const fees = { deliveryFee: amountIn(values.deliveryFee), serviceFee: amountIn(values.serviceFee) };
  const amounts = amountsOf({ lines, discount, ...fees }, 'included', digitsOf(currency));
  const isDiscountTooHigh = discount > amounts.subtotal;
  const place = useMutation({
    mutationFn: () =>
      api.call('createOrder', {
        body: newOrderBody(values, payment, amounts, { timeZone, branchIvId: branch?.ivId, currency }),
        idempotencyKey: key,
      }),
    onSuccess: async (answer) => {
      draft.clear();
      if ('order_number' in answer.data)
        showToast({ tone: 'good', text: t('placed', { code: answer.data.order_number }) });
      await readAgain('listOrders', 'readOrdersDashboard');
    },
  });
  const placed = place.data !== undefined && 'id' in place.data.data ? place.data.data.id : undefined;
  useEffect(() => {
    if (placed !== undefined) void navigate({ to: '/orders/$id', params: { id: placed } });
  }, [placed, navigate]);
  function submit(): void {
    const wrong: Faults = { ...faultsOf(values), ...(values.branch === '' && { branch: 'branch' as const }) };
    setFaults(wrong);
    const isWrong = Object.keys(wrong).length > 0 || isDiscountTooHigh || missing.length > 0;
    if (!isWrong && !place.isPending) place.mutate();
  }
  const parts = {
    values,
    faults,
    onChange: (part: Partial<OrderValues>) =>
      part.branch === undefined ? setValues(part) : void changeBranch(part.branch),
  };
  return (
    <Page
      title={t('newOrder')}
      note={<BackLink to="/orders">{t('backToOrders')}</BackLink>}
      tools={<EditorSubmit isPending={place.isPending}>{t('place')}</EditorSubmit>}
    >
      <EditorForm
        draft={draft}
        error={place.error}
        isSaved={placed !== undefined}
        onSubmit={submit}
        notice={
          missing.length > 0 && (
            <Notice tone="warn">
              {t('notInBranch')}: <span className="ltr">{missing.join(', ')}</span>
            </Notice>
          )
        }
        goods={
          <>
            <BranchField {...parts} />
            <LineFields
              lines={values.lines}
              onLines={(next) => setValues({ lines: next })}
              branchIvId={branch?.ivId}
              currency={currency}
              faults={faults}
              zeroPercent={STANDARD_PERCENT}
            />
            <AmountFields
              {...parts}
              amounts={amounts}
              mode="included"
              currency={currency}
              isDiscountTooHigh={isDiscountTooHigh}
            />
            <PaymentFields
              payment={payment}
              onChange={(next) => draft.setValues((before) => ({ ...before, payment: next }))}
            />
          </>
        }
        people={
          <>
            <DeliveryFields {...parts} />
            <Card title={t('customer')}>
              <div className="order-editor-part">
                <CustomerSearch
                  onChoose={({ name, phone, email }) =>
                    setValues({ customerName: name ?? '', customerPhone: phone ?? '', customerEmail: email ?? '' })
                  }
                />
                <CustomerFields {...parts} />
              </div>
            </Card>
          </>
        }
      />
    </Page>
  );
}

/** The branch alone is nothing to keep. */
const isEmpty = (values: OrderValues, first: OrderValues) =>
  JSON.stringify({ ...values, branch: '' }) === JSON.stringify(first);

function PaymentFields(props: { payment: PaymentValues; onChange(payment: PaymentValues): void }): ReactNode {
  const t = useWords(editorWords);
  const status = useWords(orderWords);
  const method = useMethodName();
  const { payment, onChange } = props;
  return (
    <Card title={t('payment')}>
      <div className="order-editor-two">
        <Select
          label={t('paymentMethod')}
          value={payment.method}
          onChange={(value) => onChange({ ...payment, method: value })}
          options={PAYMENT_METHODS.map((value) => ({ value, text: method(value) ?? value }))}
        />
        <Select
          label={t('paymentStatus')}
          value={payment.status}
          onChange={(value) => onChange({ ...payment, status: value })}
          options={(['pending', 'completed'] as const).map((value) => ({ value, text: status(PAYMENTS[value]) }))}
        />
      </div>
    </Card>
  );
}
