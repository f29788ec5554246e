import { type Static, Type } from 'typebox';
import { cappedListOf, PagerQuery, pagerOf } from '../../../platform/http/camel-case-pager.ts';
import { amountSar } from '../../../platform/http/sar-amount.ts';
import type { RatedPartner } from './list-rates.ts';
import type { PartnerRow } from './sql/partners.ts';
import type { PayoutRow } from './sql/payouts.ts';

export const EXAMPLE_PARTNER_ID = '0193a1f0-7c00-7000-8000-0000000009a1';
export const EXAMPLE_PAYEE_ID = '0193a1f0-7c00-7000-8000-0000000009b1';
export const EXAMPLE_PAYOUT_ID = '0193a1f0-7c00-7000-8000-0000000009c1';
/** Lists without pages end here; `total_items` is exact. */
export const MAX_LIST_ITEMS = 500;
const EXAMPLE_TIME = '2026-11-15T08:00:00.000Z';

const CommissionTenant = Type.Object(
  {
    organization_id: Type.String(),
    name_en: Type.String(),
    collected_sar: Type.Number({
      description: 'Its payments while it is a tenant of this partner, less refunds',
    }),
    commission_sar: Type.Number({ description: 'Commission on them, at the rate of each payment' }),
    paid_sar: Type.Number({ description: "Its part of the partner's payouts" }),
    due_sar: Type.Number({
      description:
        'commission_sar less paid_sar. Below zero where refunds left less commission than was paid out; later commission makes it up',
    }),
  },
  { title: 'CommissionTenant' },
);
export const CommissionRate = Type.Object(
  {
    partner_id: Type.String(),
    partner_name: Type.String(),
    erp: Type.String(),
    rate_percent: Type.Number({ description: 'Rate for future payments' }),
    tenants: Type.Array(CommissionTenant),
  },
  {
    title: 'CommissionRate',
    examples: [
      {
        partner_id: EXAMPLE_PARTNER_ID,
        partner_name: 'Rawabi Systems',
        erp: 'Odoo',
        rate_percent: 12.5,
        tenants: [
          {
            organization_id: '0193a1f0-7c00-7000-8000-000000000001',
            name_en: 'Najd Pharmacies',
            collected_sar: 10_000,
            commission_sar: 1_250,
            paid_sar: 800,
            due_sar: 450,
          },
        ],
      },
    ],
  },
);
export const CommissionRateList = cappedListOf(CommissionRate, 'CommissionRateList');

export const PartnerUser = Type.Object(
  {
    id: Type.String(),
    partner_id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    iban_masked: Type.String({ description: 'The country and the last four digits' }),
  },
  {
    title: 'PartnerUser',
    examples: [
      {
        id: EXAMPLE_PAYEE_ID,
        partner_id: EXAMPLE_PARTNER_ID,
        name: 'Fahad Al-Otaibi',
        email: 'fahad@rawabi.example',
        iban_masked: 'SA** **** **** **** **** 7519',
      },
    ],
  },
);
export const PartnerUserList = cappedListOf(PartnerUser, 'PartnerUserList');

const nameField = Type.String({ pattern: '\\S', maxLength: 200 });
const erpField = Type.String({ maxLength: 100, description: 'The ERP system it sells' });
const rateField = Type.Number({ minimum: 0, maximum: 100, description: 'At most two decimal places' });
const emailField = Type.String({ format: 'email', maxLength: 320 });
const ibanField = Type.String({ maxLength: 60, description: 'Spaces are ignored. Never shown again, only masked' });

export const Partner = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    erp: Type.String(),
    rate_percent: Type.Number({ description: 'Rate for future payments' }),
    created: Type.String(),
    updated: Type.String(),
  },
  {
    title: 'Partner',
    examples: [
      {
        id: EXAMPLE_PARTNER_ID,
        name: 'Rawabi Systems',
        erp: 'Odoo',
        rate_percent: 12.5,
        created: EXAMPLE_TIME,
        updated: EXAMPLE_TIME,
      },
    ],
  },
);
export const NewPartner = Type.Object(
  { name: nameField, erp: Type.Optional(erpField), rate_percent: rateField },
  { title: 'NewPartner', examples: [{ name: 'Rawabi Systems', erp: 'Odoo', rate_percent: 12.5 }] },
);
export const PartnerChange = Type.Object(
  { name: Type.Optional(nameField), erp: Type.Optional(erpField), rate_percent: Type.Optional(rateField) },
  { title: 'PartnerChange', examples: [{ rate_percent: 15 }] },
);
export const NewPartnerUser = Type.Object(
  {
    partner_id: Type.String({ description: 'The partner' }),
    name: nameField,
    email: emailField,
    iban: ibanField,
  },
  {
    title: 'NewPartnerUser',
    examples: [
      {
        partner_id: EXAMPLE_PARTNER_ID,
        name: 'Fahad Al-Otaibi',
        email: 'fahad@rawabi.example',
        iban: 'SA03 8000 0000 6080 1016 7519',
      },
    ],
  },
);
export const PartnerUserChange = Type.Object(
  { name: Type.Optional(nameField), email: Type.Optional(emailField), iban: Type.Optional(ibanField) },
  { title: 'PartnerUserChange', examples: [{ name: 'Fahad Al-Otaibi' }] },
);

const partnerId = Type.Optional(Type.String({ format: 'uuid', description: 'Only those of this partner' }));
export const PayeeQuery = Type.Object({ partner_id: partnerId });
export const PayoutQuery = Type.Object({ ...PagerQuery, partner_id: partnerId });

export const PartnerCommission = Type.Object(
  {
    id: Type.String(),
    partner_id: Type.String(),
    partner_user_id: Type.String(),
    amount_sar: Type.Number(),
    period: Type.String({ description: 'YYYY-MM' }),
    bank_reference: Type.String(),
    paid_at: Type.String(),
    has_proof: Type.Boolean(),
    created: Type.String(),
  },
  {
    title: 'PartnerCommission',
    examples: [
      {
        id: EXAMPLE_PAYOUT_ID,
        partner_id: EXAMPLE_PARTNER_ID,
        partner_user_id: EXAMPLE_PAYEE_ID,
        amount_sar: 800,
        period: '2026-10',
        bank_reference: 'SABB-20261103-7741',
        paid_at: EXAMPLE_TIME,
        has_proof: true,
        created: EXAMPLE_TIME,
      },
    ],
  },
);
export const PartnerCommissionPage = pagerOf(PartnerCommission, 'PartnerCommissionPage');

const example = {
  partner_id: EXAMPLE_PARTNER_ID,
  partner_user_id: EXAMPLE_PAYEE_ID,
  amount_sar: 12.5,
  period: '2026-10',
  bank_reference: 'SABB-20261103-7741',
  paid_at: '2026-11-03T09:30:00+03:00',
};
const payoutFields = {
  partner_id: Type.String({ description: 'The partner that is paid' }),
  partner_user_id: Type.String({ description: 'A payee of this partner' }),
  period: Type.String({ pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$', description: 'the month that it is for, YYYY-MM' }),
  bank_reference: Type.String({ pattern: '\\S', maxLength: 140, description: "The bank's reference of the transfer" }),
  paid_at: Type.Optional(
    Type.String({ format: 'date-time', maxLength: 64, description: 'When the bank made the transfer; default: now' }),
  ),
};

/** A form is converted to this shape and then validated against it. */
export const NewPayout = Type.Object(
  { ...payoutFields, amount_sar: amountSar('At most what is due to the partner') },
  { title: 'NewPartnerCommission', examples: [example] },
);
export type NewPayoutShape = Static<typeof NewPayout>;

const PayoutForm = Type.Object(
  {
    ...payoutFields,
    amount_sar: Type.String({ description: 'Digits, such as 12.50' }),
    proof: Type.Optional(
      Type.Unsafe<unknown>({
        type: 'string',
        format: 'binary',
        description: 'pdf, jpg, png, webp or gif by content, at most 10 MB',
      }),
    ),
  },
  {
    title: 'NewPartnerCommissionForm',
    examples: [{ ...example, amount_sar: '12.50', proof: '%PDF-1.4\n%%EOF\n' }],
  },
);
export const NewPayoutBody = {
  content: {
    'application/json': { schema: NewPayout },
    'multipart/form-data': { schema: PayoutForm },
  },
};

export function partnerShape({ id, name, erp, rate_percent, created, updated }: PartnerRow): Static<typeof Partner> {
  return {
    id,
    name,
    erp,
    rate_percent: Number(rate_percent),
    created: created.toISOString(),
    updated: updated.toISOString(),
  };
}

export function rateShape(partner: RatedPartner): Static<typeof CommissionRate> {
  return {
    partner_id: partner.id,
    partner_name: partner.name,
    erp: partner.erp,
    rate_percent: Number(partner.rate_percent),
    tenants: partner.tenants.map((tenant) => ({
      organization_id: tenant.organizationId,
      name_en: tenant.nameEn,
      collected_sar: Number(tenant.collectedSar),
      commission_sar: Number(tenant.commissionSar),
      paid_sar: Number(tenant.paidSar),
      due_sar: Number(tenant.dueSar),
    })),
  };
}

export function payoutShape({ proof_key, created_by: _by, ...payout }: PayoutRow): Static<typeof PartnerCommission> {
  return {
    ...payout,
    amount_sar: Number(payout.amount_sar),
    paid_at: payout.paid_at.toISOString(),
    has_proof: proof_key !== null,
    created: payout.created.toISOString(),
  };
}
