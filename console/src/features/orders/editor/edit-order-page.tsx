import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { saveFields, useApi, useDraft, useRead, useReadAgain } from '../../../platform/index.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { useBranchList } from '../../../ui/branch-names.ts';
import { Card, EmptyState, Icon, Loaded, Page, Skeletons, showToast } from '../../../ui/index.ts';
import { NeedsGrant } from '../../../ui/needs-grant.tsx';
import { AmountFields } from './amount-fields.tsx';
import { EditorForm, EditorSubmit } from './editor-form.tsx';
import { isEditable } from './is-editable.ts';
import { LineFields } from './line-fields.tsx';
import { BranchField, CustomerFields, DeliveryFields } from './order-fields.tsx';
import { amountFieldsOf, type PercentOf, replacementOf, type StoredOrder, taxModeOf } from './stored-order.ts';
import { useOrderConflict } from './use-order-conflict.ts';
import { useTaxRates } from './use-tax-rates.ts';
import { changeOf, type Faults, faultsOf, linesAt, type OrderValues, productsOf, valuesOf } from './values.ts';
import { editorWords } from './words.ts';

const route = getRouteApi('/in/orders/$id/edit');

export function EditOrderPage(): ReactNode {
  const t = useWords(editorWords);
  const { id } = route.useParams();
  const canonical = useRead('getOrder', { path: { id }, query: { format: 'canonical' } });
  const stored = useRead('getOrder', { path: { id } });
  return (
    <NeedsGrant grant="update:Orders" title={t('editOrder')}>
      <Loaded of={canonical} rows={8} back={<BackLink to="/orders">{t('backToOrders')}</BackLink>}>
        {({ order }) =>
          isEditable(order) ? (
            <Loaded of={stored} rows={8}>
              {(answer) => <RatedOrder key={id} latest={answer.order as StoredOrder} />}
            </Loaded>
          ) : (
            <Page title={t('editOrder')}>
              <EmptyState
                icon="orders"
                title={t('notEditable')}
                hint={t('notEditableHint')}
                action={
                  <Link to="/orders/$id" params={{ id }}>
                    {t('backToOrder')}
                  </Link>
                }
              />
            </Page>
          )
        }
      </Loaded>
    </NeedsGrant>
  );
}

/** Waits for the VAT rates of the lines. */
function RatedOrder({ latest }: { latest: StoredOrder }): ReactNode {
  const common = useWords(commonWords);
  const [first] = useState(latest);
  const rates = useTaxRates(first);
  if (rates === undefined) return <Skeletons rows={8} label={common('loading')} />;
  return <EditOrder latest={first} rates={rates} />;
}

type Rates = { percentOf: PercentOf; zeroPercent: number };

function EditOrder({ latest, rates }: { latest: StoredOrder; rates: Rates }): ReactNode {
  const t = useWords(editorWords);
  const common = useWords(commonWords);
  const { timeZone } = useFormat();
  const api = useApi();
  const navigate = useNavigate();
  const readAgain = useReadAgain();
  const branches = useBranchList();
  const { choose, dialog } = useOrderConflict();
  // The draft keeps the version that its changes were made from: others may have changed the order since.
  const [first] = useState({ base: latest, values: valuesOf(latest, timeZone) });
  const draft = useDraft(`order-edit.${latest.id}`, first, {
    isUnchanged: ({ base, values: now }) => JSON.stringify(now) === JSON.stringify(valuesOf(base, timeZone)),
  });
  const { base, values } = draft.values;
  const [faults, setFaults] = useState<Faults>({});
  const ivIdOf = (id: string) => branches.find((branch) => branch.id === id)?.ivId;
  const branchIvId = ivIdOf(values.branch);
  const setValues = (part: Partial<OrderValues>) =>
    draft.setValues((before) => {
      const [from, to] = [ivIdOf(before.values.branch), part.branch && ivIdOf(part.branch)];
      const lines = from && to ? { lines: linesAt(before.values.lines, from, to) } : {};
      return { ...before, values: { ...before.values, ...lines, ...part } };
    });
  const change = changeOf(valuesOf(base, timeZone), values, { order: base, timeZone });
  const mode = taxModeOf(base);
  const isRepriced = ['products', 'discounts_amount', 'delivery_fee', 'service_fee'].some((field) => field in change);
  const priced = amountFieldsOf({ ...base, ...change, products: productsOf(values.lines) }, mode, rates.percentOf);
  const shown = isRepriced ? priced : { ...base, subtotal: base.subtotal || priced.subtotal };
  const isDiscountTooHigh = (change.discounts_amount ?? base.discounts_amount) > priced.subtotal;
  const save = useMutation({
    mutationFn: () =>
      saveFields({
        base,
        change,
        choose,
        send: async (fields, version) => {
          const { data } = await api.call('replaceOrder', {
            path: { id: base.id },
            body: replacementOf(version, fields, { branchIvId, percentOf: rates.percentOf }),
            headers: { 'if-match': `"${version.updated_at}"` },
          });
          return data;
        },
      }),
    onSuccess: async () => {
      draft.clear();
      showToast({ tone: 'good', text: t('saved') });
      await readAgain('getOrder', 'readOrderTimeline', 'listOrders', 'readOrdersDashboard');
    },
  });
  const isSaved = save.isSuccess;
  const { id } = base;
  useEffect(() => {
    if (isSaved) void navigate({ to: '/orders/$id', params: { id } });
  }, [isSaved, id, navigate]);
  function submit(): void {
    const wrong = faultsOf(values);
    setFaults(wrong);
    if (Object.keys(wrong).length === 0 && !isDiscountTooHigh) save.mutate();
  }
  const parts = { values, onChange: setValues, faults };
  return (
    <Page
      title={
        <span>
          {t('editOrder')} <span className="ltr">{base.order_code}</span>
        </span>
      }
      name={t('editTitle', { code: base.order_code })}
      note={
        <Link to="/orders/$id" params={{ id }}>
          <Icon name="back" /> {t('backToOrder')}
        </Link>
      }
      tools={
        <EditorSubmit isPending={save.isPending} isDisabled={Object.keys(change).length === 0}>
          {common('save')}
        </EditorSubmit>
      }
    >
      <EditorForm
        draft={draft}
        error={save.error}
        isSaved={isSaved}
        onSubmit={submit}
        goods={
          <>
            <BranchField {...parts} />
            <LineFields
              lines={values.lines}
              onLines={(lines) => setValues({ lines })}
              branchIvId={branchIvId}
              currency={base.currency}
              faults={faults}
              zeroPercent={rates.zeroPercent}
            />
            <AmountFields
              {...parts}
              amounts={{ subtotal: shown.subtotal, vat: shown.vat_amount, total: shown.total_amount }}
              mode={mode}
              currency={base.currency}
              totalBefore={base.total_amount}
              isDiscountTooHigh={isDiscountTooHigh}
            />
          </>
        }
        people={
          <>
            <Card title={t('customer')}>
              <div className="order-editor-part">
                <CustomerFields {...parts} />
              </div>
            </Card>
            <DeliveryFields {...parts} />
          </>
        }
      />
      {dialog}
    </Page>
  );
}
