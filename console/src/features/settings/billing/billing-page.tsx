import type { Schemas } from '@dukkan/sdk';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { reloadAccount, useMay, useOrganization, useRead } from '../../../platform/index.ts';
import { Badge, Button, Card, Loaded, Notice, Page, Tabs, type Tone } from '../../../ui/index.ts';
import { usePlanName } from '../../../ui/plan-names.ts';
import { settingsWords } from '../words.ts';
import { Fees } from './fees.tsx';
import { invoiceWords } from './invoice-words.ts';
import { Invoices } from './invoices.tsx';
import { Ledger } from './ledger.tsx';
import { payWords } from './pay-words.ts';
import { billingWords } from './words.ts';

type Billing = Schemas['OwnBilling'];
const route = getRouteApi('/in/settings/billing');
const Pay = lazy(() => import('./pay.tsx'));
const Checkout = lazy(() => import('./checkout.tsx'));
const TONES: Record<string, Tone> = { active: 'good', past_due: 'warn', suspended: 'bad' };
/** While an amount is outstanding, the page polls for the payment. */
const LOOKS_AGAIN_MS = 20_000;

export function BillingPage(): ReactNode {
  const t = useWords(billingWords);
  const settings = useWords(settingsWords);
  const invoice = useWords(invoiceWords);
  const pay = useWords(payWords);
  const may = useMay();
  const { checkout } = route.useSearch();
  const navigate = useNavigate({ from: '/settings/billing' });
  const [isPaying, setPaying] = useState(false);
  const showCheckout = (id: string | undefined) =>
    void navigate({ search: id === undefined ? {} : { checkout: id }, replace: true });
  const { suspended } = useOrganization();
  const billing = useRead(
    'readOwnBilling',
    {},
    { refetchInterval: ({ state }) => (state.data?.status === 'active' ? false : LOOKS_AGAIN_MS) },
  );
  const isSuspended = billing.data === undefined ? undefined : billing.data.suspension !== null;
  // The account in the frame may be outdated: reloads it when the suspension differs.
  useEffect(() => {
    if (isSuspended !== undefined && isSuspended !== suspended) void reloadAccount();
  }, [isSuspended, suspended]);
  return (
    <Page
      title={
        <span className="settings-buttons">
          {settings('billing')}
          {billing.data !== undefined && <Status status={billing.data.status} />}
        </span>
      }
      name={settings('billing')}
      note={t('note')}
      tools={
        billing.data?.online_payments === 'sandbox' &&
        may('update:Settings') && (
          <Button look="primary" icon="payments" onPress={() => setPaying(true)}>
            {pay('payNow')}
          </Button>
        )
      }
    >
      <Loaded of={billing} rows={4}>
        {(found) => (
          <>
            <Trouble billing={found} />
            <Figures billing={found} />
          </>
        )}
      </Loaded>
      <Card>
        <div className="settings-tabs">
          <Tabs
            label={settings('billing')}
            tabs={[
              { id: 'fees', title: t('fees'), content: <Fees /> },
              { id: 'invoices', title: invoice('invoices'), content: <Invoices /> },
              { id: 'ledger', title: t('ledger'), content: <Ledger /> },
            ]}
          />
        </div>
      </Card>
      <Suspense>
        {isPaying && (
          <Pay
            owedSar={billing.data?.fees.outstanding_sar ?? 0}
            onOpened={(id) => {
              setPaying(false);
              showCheckout(id);
            }}
            onClose={() => setPaying(false)}
          />
        )}
        {checkout !== undefined && <Checkout key={checkout} id={checkout} onClose={() => showCheckout(undefined)} />}
      </Suspense>
    </Page>
  );
}

function Status({ status }: { status: string }): ReactNode {
  const t = useWords(billingWords);
  const known = status === 'active' || status === 'past_due' || status === 'suspended' ? t(`status.${status}`) : status;
  return <Badge tone={TONES[status] ?? 'plain'}>{known}</Badge>;
}

/** What is wrong, what it means, and what to do. */
function Trouble({ billing: { suspension, fees, currency } }: { billing: Billing }): ReactNode {
  const t = useWords(billingWords);
  const { date, hijri, money } = useFormat();
  const amount = money(fees.overdue_sar, currency);
  if (suspension !== null) {
    const isForFees = suspension.by === 'billing';
    return (
      <Notice tone="bad">
        <div className="settings-trouble">
          <strong title={hijri(suspension.since)}>{t('suspendedTitle', { date: date(suspension.since) })}</strong>
          <span>{isForFees ? t('suspendedBilling') : t('suspendedOperator', { reason: suspension.reason })}</span>
          <span>{t('meaning')}</span>
          <span className="strong">{isForFees ? t('doPay', { amount }) : t('doAsk')}</span>
        </div>
      </Notice>
    );
  }
  if (fees.overdue_sar <= 0) return null;
  return (
    <Notice tone="warn">
      <div className="settings-trouble">
        <strong>{t('pastDueTitle', { amount })}</strong>
        <span>{t('pastDueHint')}</span>
      </div>
    </Notice>
  );
}

function Figures({ billing }: { billing: Billing }): ReactNode {
  const t = useWords(billingWords);
  const { money, date, hijri, percent } = useFormat();
  const { fees, currency } = billing;
  const isOverdue = fees.overdue_sar > 0;
  const overdue =
    fees.overdue_sar === fees.outstanding_sar
      ? t('allOverdue')
      : t('ofItOverdue', { amount: money(fees.overdue_sar, currency) });
  const owed = fees.outstanding_sar === 0 ? t('nothingOwed') : isOverdue ? overdue : ' ';
  const planName = usePlanName();
  return (
    <div className="settings-figures">
      <Figure
        title={t('owed')}
        value={money(fees.outstanding_sar, currency)}
        note={owed}
        {...(isOverdue && { tone: 'bad' })}
      />
      <Figure title={t('wallet')} value={money(billing.balance_sar, currency)} note={t('fromWallet')} />
      <Figure title={t('nextCharge')} value={date(billing.next_charge_date)} note={hijri(billing.next_charge_date)} />
      <Figure
        title={t('branchFee')}
        value={money(billing.branch_fee_sar, currency)}
        note={t('withoutVat', { percent: percent(billing.vat_percent / 100) })}
      />
      <Figure title={t('plan')} value={planName(billing.plan)} note=" " />
    </div>
  );
}

function Figure(props: { title: string; value: string; note: string; tone?: string }): ReactNode {
  return (
    <div className="settings-figure" data-tone={props.tone}>
      <span className="soft small">{props.title}</span>
      <strong>{props.value}</strong>
      <span className="soft small">{props.note}</span>
    </div>
  );
}
