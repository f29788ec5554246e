import { Type } from 'typebox';
import { pagerOf } from '../../../platform/http/camel-case-pager.ts';
import { PAYMENT_METHODS, type PaymentMethod } from '../billing/index.ts';
import { AmountSar } from './amount.ts';

export const exampleOrganizationId = '0193a1f0-7c00-7000-8000-0000000000b7';
const sar = (description: string) => Type.Number({ description });
const organizationId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The organization whose money moves',
  examples: [exampleOrganizationId],
});

const paymentFields = {
  id: Type.String(),
  organization_id: Type.String(),
  organization_name_en: Type.String(),
  amount_sar: sar('Without VAT: money paid in advance has none in it, that arises with the fee it pays'),
  vat_sar: sar('0, see amount_sar'),
  total_sar: sar('Both together'),
  method: Type.String({ description: PAYMENT_METHODS.join(', ') }),
  status: Type.String({ description: 'succeeded, pending or failed' }),
  reference: Type.String(),
  created_by: Type.String({ description: 'The account that recorded it' }),
  created: Type.String(),
};
const paymentExample = {
  id: '0193a1f0-7c00-7000-8000-0000000000d1',
  organization_id: exampleOrganizationId,
  organization_name_en: 'Najd Pharmacies',
  amount_sar: 575,
  vat_sar: 0,
  total_sar: 575,
  method: 'bank_transfer',
  status: 'succeeded',
  reference: 'SARIE 20261115-0042',
  created_by: 'ops@example.com',
  created: '2026-11-15T08:00:00.000Z',
};
const Payment = Type.Object(paymentFields, { title: 'BillingPayment', examples: [paymentExample] });
export const PaymentPage = pagerOf(Payment, 'BillingPaymentPage');

const adjustmentExample = {
  id: '0193a1f0-7c00-7000-8000-0000000000c1',
  organization_id: exampleOrganizationId,
  organization_name_en: 'Najd Pharmacies',
  entry_type: 'credit',
  direction: 'credit',
  amount_sar: 100,
  note: 'Outage of 3 November',
  created_by: 'ops@example.com',
  created: '2026-11-15T08:00:00.000Z',
};
const Adjustment = Type.Object(
  {
    id: Type.String(),
    organization_id: Type.String(),
    organization_name_en: Type.String(),
    entry_type: Type.String({ description: 'credit, refund or adjustment' }),
    direction: Type.String({ description: 'credit or debit' }),
    amount_sar: Type.Number(),
    note: Type.String(),
    created_by: Type.String(),
    created: Type.String(),
  },
  { title: 'BalanceAdjustment', examples: [adjustmentExample] },
);
export const AdjustmentPage = pagerOf(Adjustment, 'BalanceAdjustmentPage');

const application = Type.Object({
  branch_fee_id: Type.String(),
  branch_iv_id: Type.String({ description: 'Empty for the fee of a service' }),
  due_date: Type.String(),
  outstanding_sar: sar('Of the fee, before'),
  applied_sar: sar('Of the money, to this fee'),
});
const settlementFields = {
  outstanding_sar: sar('Open fees of the organization, before'),
  applications: Type.Array(application, { description: 'The oldest fee first' }),
  to_wallet_sar: sar('What is left of the money'),
  wallet_balance_after_sar: sar('The wallet afterwards'),
};
const settlementExample = {
  outstanding_sar: 287.5,
  applications: [
    {
      branch_fee_id: '0193a1f0-7c00-7000-8000-0000000000f1',
      branch_iv_id: 'RUH-1',
      due_date: '2026-11-15',
      outstanding_sar: 287.5,
      applied_sar: 100,
    },
  ],
  to_wallet_sar: 0,
  wallet_balance_after_sar: 0,
};

export const CreditQuery = Type.Object({
  organization_id: organizationId,
  amount_sar: AmountSar,
});
export const CreditBody = Type.Object(
  {
    organization_id: organizationId,
    amount_sar: AmountSar,
    note: Type.String({ minLength: 1, maxLength: 1000, description: 'The reason; the merchant sees it in its ledger' }),
  },
  {
    title: 'TenantCreditRequest',
    examples: [{ organization_id: exampleOrganizationId, amount_sar: 100, note: 'Outage of 3 November' }],
  },
);
export const Credit = Type.Object(
  { organization_id: Type.String(), amount_sar: Type.Number(), ...settlementFields },
  {
    title: 'TenantCredit',
    examples: [{ organization_id: exampleOrganizationId, amount_sar: 100, ...settlementExample }],
  },
);

export const PaymentBody = Type.Object(
  {
    organization_id: organizationId,
    amount_sar: AmountSar,
    method: Type.Unsafe<PaymentMethod>({ type: 'string', enum: [...PAYMENT_METHODS] }),
    reference: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Reference of the transfer, receipt or cheque',
    }),
  },
  {
    title: 'NewBillingPayment',
    examples: [
      {
        organization_id: exampleOrganizationId,
        amount_sar: 575,
        method: 'bank_transfer',
        reference: 'SARIE 20261115-0042',
      },
    ],
  },
);
export const RecordedPayment = Type.Object(
  {
    ...paymentFields,
    ...settlementFields,
    resumed: Type.Boolean({ description: 'Whether it ended a suspension for unpaid fees' }),
  },
  {
    title: 'RecordedBillingPayment',
    examples: [
      { ...paymentExample, ...settlementExample, to_wallet_sar: 475, wallet_balance_after_sar: 475, resumed: false },
    ],
  },
);

export const LedgerEntry = Type.Object(
  {
    id: Type.String(),
    entry_type: Type.String({ description: 'topup, branch_fee, service_fee, credit, refund or adjustment' }),
    direction: Type.String({ description: 'credit: into the wallet; debit: out of it' }),
    amount_sar: sar('Without VAT'),
    vat_sar: sar('The VAT on it'),
    total_sar: sar('Both together: what the wallet moved by'),
    reference: Type.String(),
    note: Type.String(),
    branch_fee_id: Type.Union([Type.String(), Type.Null()], { description: 'The fee that it settles' }),
    payment_id: Type.Union([Type.String(), Type.Null()], { description: 'The payment that it came from' }),
    created_by: Type.String(),
    created: Type.String(),
  },
  {
    title: 'LedgerEntry',
    examples: [
      {
        id: '0193a1f0-7c00-7000-8000-0000000000e1',
        entry_type: 'branch_fee',
        direction: 'debit',
        amount_sar: 250,
        vat_sar: 37.5,
        total_sar: 287.5,
        reference: 'RUH-1 2026-11',
        note: '',
        branch_fee_id: '0193a1f0-7c00-7000-8000-0000000000f1',
        payment_id: null,
        created_by: 'system',
        created: '2026-11-15T08:00:00.000Z',
      },
    ],
  },
);
