import { Type } from 'typebox';
import { listEnvelopeOf } from '../../../platform/http/envelopes.ts';
import { PageQuery } from '../../../platform/http/paging.ts';
import { FEE_EXAMPLE, FEE_FIELDS } from './fleet-schema.ts';
import { exampleOrganizationId } from './money-schema.ts';

const sar = (description: string) => Type.Number({ description });

export const OwnBilling = Type.Object(
  {
    organization_id: Type.String(),
    plan: Type.String(),
    status: Type.String({ description: 'active, past_due (something is overdue) or suspended' }),
    period_end: Type.Union([Type.String(), Type.Null()], {
      description:
        'End of the last charged month in Riyadh, or a later end that the operator set; null before the first charge. The same as in GET /auth/credentials',
    }),
    suspension: Type.Union(
      [
        Type.Object({
          since: Type.String(),
          by: Type.String({ description: 'billing: for unpaid fees; operator: by hand' }),
          reason: Type.String(),
          what_to_do: Type.String({ description: 'Instructions for the merchant' }),
        }),
        Type.Null(),
      ],
      { description: 'null while not suspended' },
    ),
    branch_fee_sar: sar('What a branch costs a month, without VAT'),
    vat_percent: Type.Number(),
    fees: Type.Object({
      outstanding_sar: sar('What is left to pay of all open fees'),
      overdue_sar: sar('The part of it that was due before today'),
    }),
    balance_sar: sar('The wallet'),
    currency: Type.String(),
    online_payments: Type.String({
      description: 'off, or sandbox: fees can be paid at POST /billing/payments, without real money',
    }),
    next_charge_date: Type.String({ description: 'When the fees of the next month are charged' }),
  },
  {
    title: 'OwnBilling',
    examples: [
      {
        organization_id: exampleOrganizationId,
        plan: 'standard',
        status: 'active',
        period_end: '2026-11-30T21:00:00.000Z',
        suspension: null,
        branch_fee_sar: 250,
        vat_percent: 15,
        fees: { outstanding_sar: 287.5, overdue_sar: 0 },
        balance_sar: 143.75,
        currency: 'SAR',
        online_payments: 'off',
        next_charge_date: '2026-12-01',
      },
    ],
  },
);

export const OwnPageQuery = Type.Object(PageQuery);

const { organization_id: _id, organization_name_en: _name, ...ownFee } = FEE_EXAMPLE;
export const OwnFeeList = listEnvelopeOf(Type.Object(FEE_FIELDS, { title: 'BranchFee', examples: [ownFee] }));
