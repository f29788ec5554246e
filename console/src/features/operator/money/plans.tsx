import type { Row } from '@dukkan/sdk';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { commonWords, useFormat, useWords } from '../../../i18n/index.ts';
import { fieldErrors, useApi, useRead, useReadAgain } from '../../../platform/index.ts';
import { type Column, DataTable, Field, Notice, showToast } from '../../../ui/index.ts';
import { ListCard } from '../../../ui/list/index.ts';
import { usePlanName } from '../../../ui/plan-names.ts';
import { readPrice } from '../parts/amount.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { moneyWords } from './words.ts';

type Plan = Row<'listPlans'>;

/** What a branch costs under each plan. A row opens its prices. */
export function Plans(): ReactNode {
  const t = useWords(moneyWords);
  const planName = usePlanName();
  const { money, number } = useFormat();
  const [open, setOpen] = useState<Plan | undefined>(undefined);
  const plans = useRead('listPlans', {});
  const columns: Column<Plan>[] = [
    { id: 'plan', title: t('plan'), width: 'minmax(110px, 2fr)', render: ({ code }) => <bdi>{planName(code)}</bdi> },
    {
      id: 'organizations',
      title: t('organizations'),
      width: '110px',
      end: true,
      from: 'medium',
      render: ({ organizations }) => number(organizations),
    },
    {
      id: 'price',
      title: t('branchFee'),
      width: '170px',
      end: true,
      render: ({ branch_fee_sar, vat_percent }) => (
        <span className="ui-cell-two">
          <span>{money(branch_fee_sar)}</span>
          <span className="soft small">{t('vatShort', { percent: number(vat_percent) })}</span>
        </span>
      ),
    },
  ];
  return (
    <>
      <ListCard
        answer={plans}
        extentOf={({ items }) => ({ shown: items.length, total: items.length })}
        skeletonRows={4}
        empty={{ icon: 'payments', title: t('tab.plans') }}
      >
        {({ items }) => (
          <DataTable
            label={t('tab.plans')}
            columns={columns}
            rows={items}
            keyOf={({ code }) => code}
            onOpen={setOpen}
          />
        )}
      </ListCard>
      {open !== undefined && <PlanForm key={open.code} plan={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function PlanForm({ plan, onClose }: { plan: Plan; onClose(): void }): ReactNode {
  const t = useWords(moneyWords);
  const common = useWords(commonWords);
  const name = usePlanName()(plan.code);
  const api = useApi();
  const readAgain = useReadAgain();
  const [typed, setTyped] = useState({ price: String(plan.branch_fee_sar), vat: String(plan.vat_percent) });
  const [isTried, setTried] = useState(false);
  const price = readPrice(typed.price);
  const vat = readPrice(typed.vat);
  const isVatRight = vat !== undefined && vat <= 100;
  const saving = useMutation({
    mutationFn: (body: { branch_fee_sar: number; vat_percent: number }) =>
      api.call('changePlan', { path: { code: plan.code }, body }),
    onSuccess: async () => {
      showToast({ tone: 'good', text: t('planChanged', { plan: name }) });
      onClose();
      await readAgain('listPlans', 'listOperatorAudit');
    },
  });
  const refused = fieldErrors(saving.error);
  function send(): void {
    setTried(true);
    if (price !== undefined && vat !== undefined && isVatRight) {
      saving.mutate({ branch_fee_sar: price, vat_percent: vat });
    }
  }
  return (
    <FormDialog
      title={t('changePlan', { plan: name })}
      onClose={onClose}
      onSend={send}
      send={common('save')}
      isBusy={saving.isPending}
      error={saving.error}
    >
      <Notice tone="info">{t('planHint')}</Notice>
      <div className="operator-pair">
        <Field
          label={t('price')}
          value={typed.price}
          onChange={(value) => setTyped((before) => ({ ...before, price: value }))}
          error={isTried && price === undefined ? t('branchFeeWrong') : refused.branch_fee_sar}
          inputMode="decimal"
          autoFocus
          ltr
        />
        <Field
          label={t('vat')}
          value={typed.vat}
          onChange={(value) => setTyped((before) => ({ ...before, vat: value }))}
          error={isTried && !isVatRight ? t('vatWrong') : refused.vat_percent}
          inputMode="decimal"
          ltr
        />
      </div>
    </FormDialog>
  );
}
