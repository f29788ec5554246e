import { Type } from 'typebox';

const sar = (description: string) => Type.Number({ description });
const count = (description: string) => Type.Integer({ description });

const feeExample = {
  id: '0193a1f0-7c00-7000-8000-0000000000f1',
  organization_id: '0193a1f0-7c00-7000-8000-0000000000b7',
  organization_name_en: 'Najd Pharmacies',
  branch_iv_id: 'RUH-1',
  kind: 'branch',
  service_code: '',
  period: '2026-11-01',
  amount_sar: 250,
  vat_sar: 37.5,
  total_sar: 287.5,
  paid_sar: 0,
  outstanding_sar: 287.5,
  status: 'pending',
  due_date: '2026-11-15',
  created: '2026-11-01T00:05:00.000Z',
};

export const FEE_FIELDS = {
  id: Type.String(),
  branch_iv_id: Type.String({ description: 'Empty for the fee of a service' }),
  kind: Type.String({ description: 'branch or service' }),
  service_code: Type.String({ description: 'Empty for the fee of a branch' }),
  period: Type.String({ description: 'The first day of the month it is for' }),
  amount_sar: sar('Without VAT'),
  vat_sar: sar('The VAT on it'),
  total_sar: sar('Both together'),
  paid_sar: sar('Of the total, so far'),
  outstanding_sar: sar('total_sar less paid_sar; 0 for a fee that is paid or void'),
  status: Type.String({
    description: 'pending, overdue (by the date: due_date is before today in Riyadh), paid or void',
  }),
  due_date: Type.String(),
  created: Type.String(),
};
export const FEE_EXAMPLE = feeExample;

const RecentFee = Type.Object(
  {
    ...FEE_FIELDS,
    organization_id: Type.String(),
    organization_name_en: Type.String(),
  },
  { title: 'RecentBranchFee', examples: [feeExample] },
);

export const AccountingOverview = Type.Object(
  {
    timestamp: Type.String(),
    totals: Type.Object({
      cash_collected_sar: sar('Payments that succeeded'),
      cash_collected_30d_sar: sar('Those of the last 30 days in Riyadh, today included'),
      wallet_balance_sar: sar('All wallets together: ledger credits less debits'),
      outstanding_branch_fees_sar: sar('What is left to pay of open fees, of branches and services'),
      overdue_branch_fees_sar: sar('The part of it that was due before today'),
      credits_issued_sar: sar('Ledger entries of the type credit'),
      refund_like_debits_sar: sar('Ledger debits of the types refund and adjustment'),
      recognized_vat_sar: sar('VAT of the fees that were settled'),
      net_revenue_sar: sar('Fees that were settled, without VAT, less credits issued'),
    }),
    receivables: Type.Object({
      current_sar: sar('Not due before today'),
      days_1_to_30_sar: sar('By days past due'),
      days_31_to_60_sar: sar('By days past due'),
      days_61_plus_sar: sar('By days past due'),
      pending_rows: count('Open fees that are not past due'),
      overdue_rows: count('Open fees that are'),
    }),
    status_breakdown: Type.Array(
      Type.Object({
        status: Type.String({ description: 'pending, overdue, paid or void' }),
        count: count('Fees'),
        amount: sar('Their total_sar'),
      }),
    ),
    ledger_breakdown: Type.Array(
      Type.Object({
        entry_type: Type.String(),
        direction: Type.String({ description: 'credit or debit' }),
        count: count('Entries'),
        amount: sar('Their total_sar'),
      }),
    ),
    recent_branch_fees: Type.Array(RecentFee, { description: 'The newest 20' }),
    reconciliation: Type.Object({
      successful_payments_sar: sar('Payments that succeeded'),
      ledger_credits_sar: sar('Top-ups in the ledger: each payment that succeeded has one'),
      variance_sar: sar('The difference of the two: anything but 0 needs a look'),
    }),
  },
  {
    title: 'AccountingOverview',
    examples: [
      {
        timestamp: '2026-11-15T08:00:00.000Z',
        totals: {
          cash_collected_sar: 5750,
          cash_collected_30d_sar: 575,
          wallet_balance_sar: 143.75,
          outstanding_branch_fees_sar: 287.5,
          overdue_branch_fees_sar: 0,
          credits_issued_sar: 100,
          refund_like_debits_sar: 0,
          recognized_vat_sar: 744.51,
          net_revenue_sar: 4861.74,
        },
        receivables: {
          current_sar: 287.5,
          days_1_to_30_sar: 0,
          days_31_to_60_sar: 0,
          days_61_plus_sar: 0,
          pending_rows: 1,
          overdue_rows: 0,
        },
        status_breakdown: [
          { status: 'pending', count: 1, amount: 287.5 },
          { status: 'paid', count: 20, amount: 5706.25 },
        ],
        ledger_breakdown: [
          { entry_type: 'branch_fee', direction: 'debit', count: 20, amount: 5706.25 },
          { entry_type: 'credit', direction: 'credit', count: 1, amount: 100 },
          { entry_type: 'topup', direction: 'credit', count: 10, amount: 5750 },
        ],
        recent_branch_fees: [feeExample],
        reconciliation: { successful_payments_sar: 5750, ledger_credits_sar: 5750, variance_sar: 0 },
      },
    ],
  },
);

export const FleetMetrics = Type.Object(
  {
    timestamp: Type.String(),
    total_organizations: count('All of them'),
    active_organizations: count('Neither closed nor suspended'),
    inactive_organizations: count('The others'),
    total_branches: count('Sum of branch_count'),
    total_users: count('Sum of user_count: a user of two organizations counts twice'),
    total_orders: count('Sum of order_count'),
    total_order_value: sar('Sum of order_value'),
    total_collected_sar: sar('Sum of collected_sar'),
    collected_last_30d_sar: sar('Payments that succeeded in the last 30 days in Riyadh, today included'),
    organizations: Type.Array(
      Type.Object({
        organization_id: Type.String(),
        name_en: Type.String(),
        name_ar: Type.String(),
        is_active: Type.Boolean({ description: 'Neither closed nor suspended' }),
        branch_count: count('Branches, active or not'),
        user_count: count('Members'),
        order_count: count('Orders that were not deleted, a moment behind them'),
        order_value: sar('Orders in riyals that were neither cancelled nor refunded, a moment behind them'),
        collected_sar: sar('Payments that succeeded'),
      }),
      { description: 'The oldest first' },
    ),
  },
  {
    title: 'FleetMetrics',
    examples: [
      {
        timestamp: '2026-11-15T08:00:00.000Z',
        total_organizations: 1,
        active_organizations: 1,
        inactive_organizations: 0,
        total_branches: 12,
        total_users: 5,
        total_orders: 48210,
        total_order_value: 3104220.75,
        total_collected_sar: 5750,
        collected_last_30d_sar: 575,
        organizations: [
          {
            organization_id: '0193a1f0-7c00-7000-8000-0000000000b7',
            name_en: 'Najd Pharmacies',
            name_ar: 'صيدليات نجد',
            is_active: true,
            branch_count: 12,
            user_count: 5,
            order_count: 48210,
            order_value: 3104220.75,
            collected_sar: 5750,
          },
        ],
      },
    ],
  },
);
