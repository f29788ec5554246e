import type { Schemas } from '@dukkan/sdk';
import { type ReactNode, useEffect } from 'react';
import { useFormat, useWords } from '../../../i18n/index.ts';
import { reloadAccount, useOrganization, useRead } from '../../../platform/index.ts';
import { Badge, Card, Loaded, Notice, Page, Tabs, type Tone } from '../../../ui/index.ts';
import { usePlanName } from '../../../ui/plan-names.ts';
import { settingsWords } from '../words.ts';
import { Fees } from './fees.tsx';
import { Ledger } from './ledger.tsx';
import { billingWords } from './words.ts';

type Billing = Schemas['OwnBilling'];
const TONES: Record<string, Tone> = { active: 'good', past_due: 'warn', suspended: 'bad' };
/** While an amount is outstanding, the page polls for the payment. */
const LOOKS_AGAIN_MS = 20_000;

export function BillingPage(): ReactNode {
  const t = useWords(billingWords);
  const settings = useWords(settingsWords);
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
              { id: 'ledger', title: t('ledger'), content: <Ledger /> },
            ]}
          />
        </div>
      </Card>
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
