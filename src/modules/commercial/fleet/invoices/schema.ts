import { Type } from 'typebox';
import { listEnvelopeOf } from '../../../../platform/http/envelopes.ts';
import { PageQuery } from '../../../../platform/http/paging.ts';
import { moneyToNumber } from '../../billing/index.ts';
import { OrganizationParams } from '../organizations-schema.ts';
import type { InvoiceWithBalance } from './list-invoices.ts';

export const EXAMPLE_NUMBER = 'INV-000042';

const rowFields = {
  number: Type.String({ description: 'Without gaps over all invoices of the operator' }),
  period: Type.String({ description: 'The month, by its first day' }),
  issued_at: Type.String(),
  due_date: Type.String(),
  amount_sar: Type.Number({ description: 'Without VAT' }),
  vat_sar: Type.Number(),
  total_sar: Type.Number({ description: 'With VAT' }),
  outstanding_sar: Type.Number({ description: 'What is left to pay of the month' }),
  status: Type.String({ description: 'paid, pending or overdue' }),
};
const rowExample = {
  number: EXAMPLE_NUMBER,
  period: '2026-11-01',
  issued_at: '2026-11-01T00:07:00.000Z',
  due_date: '2026-11-15',
  amount_sar: 250,
  vat_sar: 37.5,
  total_sar: 287.5,
  outstanding_sar: 0,
  status: 'paid',
};
export const FeeInvoiceRowShape = Type.Object(rowFields, { title: 'FeeInvoiceRow', examples: [rowExample] });
export const FeeInvoiceList = listEnvelopeOf(FeeInvoiceRowShape);
export const InvoicesQuery = Type.Object(PageQuery);
export const InvoiceParams = Type.Object({
  number: Type.String({ maxLength: 40, description: 'The number of the invoice', examples: [EXAMPLE_NUMBER] }),
});

export const InvoicePdfQuery = Type.Object({
  language: Type.Optional(
    Type.Enum(['ar', 'en'], { description: 'The language that comes first, ar by default; fields are named in both' }),
  ),
});
export const OrganizationInvoiceParams = Type.Object({ ...OrganizationParams.properties, ...InvoiceParams.properties });

/** By content and not by `produces`, because errors are JSON as on every route. */
export const InvoicePdf = {
  description: 'The invoice',
  content: {
    'application/pdf': {
      schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary', examples: ['%PDF-1.3\n%%EOF\n'] }),
    },
  },
};

export const FeeInvoice = Type.Object(
  {
    ...rowFields,
    currency: Type.String(),
    seller: Type.Object(
      { name: Type.String(), name_ar: Type.String(), vat_number: Type.String(), address: Type.String() },
      { description: 'The operator, as it was when the invoice was issued' },
    ),
    buyer: Type.Object(
      { name_en: Type.String(), name_ar: Type.String(), vat_number: Type.String(), address: Type.String() },
      { description: 'The organization, as it was when the invoice was issued' },
    ),
    lines: Type.Array(
      Type.Object({
        kind: Type.String({ description: 'branch or service' }),
        code: Type.String({ description: "The branch's iv_id, or the service's code" }),
        name_en: Type.String({ description: 'Name of the branch; empty for services' }),
        name_ar: Type.String(),
        amount_sar: Type.Number(),
        vat_percent: Type.Number({ description: 'VAT in per cent of the amount, to one decimal' }),
        vat_sar: Type.Number(),
        total_sar: Type.Number(),
      }),
    ),
    qr: Type.String({ description: 'Contents of the QR code: base64 of ZATCA tags 1 to 5' }),
  },
  {
    title: 'FeeInvoice',
    examples: [
      {
        ...rowExample,
        currency: 'SAR',
        seller: {
          name: 'Dukkan Operations',
          name_ar: 'دكان للتشغيل',
          vat_number: '300000000000003',
          address: 'King Fahd Road, Riyadh',
        },
        buyer: { name_en: 'Najd Pharmacies', name_ar: 'صيدليات نجد', vat_number: '310122393500003', address: 'Riyadh' },
        lines: [
          {
            kind: 'branch',
            code: 'RUH-OLAYA',
            name_en: 'Olaya',
            name_ar: 'العليا',
            amount_sar: 250,
            vat_percent: 15,
            vat_sar: 37.5,
            total_sar: 287.5,
          },
        ],
        qr: 'AQxEdWtrYW4=',
      },
    ],
  },
);

export function invoiceRowShape({ invoice, balance }: InvoiceWithBalance) {
  const outstanding = moneyToNumber(balance?.outstanding_sar ?? '0');
  return {
    number: invoice.number,
    period: invoice.period,
    issued_at: invoice.issued_at.toISOString(),
    due_date: invoice.due_date,
    amount_sar: moneyToNumber(invoice.amount_sar),
    vat_sar: moneyToNumber(invoice.vat_sar),
    total_sar: moneyToNumber(invoice.total_sar),
    outstanding_sar: outstanding,
    status: outstanding === 0 ? 'paid' : balance?.is_overdue === true ? 'overdue' : 'pending',
  };
}

export function invoiceShape(found: InvoiceWithBalance) {
  const { invoice } = found;
  return {
    ...invoiceRowShape(found),
    currency: 'SAR',
    seller: {
      name: invoice.seller_name,
      name_ar: invoice.seller_name_ar,
      vat_number: invoice.seller_vat_number,
      address: invoice.seller_address,
    },
    buyer: {
      name_en: invoice.buyer_name_en,
      name_ar: invoice.buyer_name_ar,
      vat_number: invoice.buyer_vat_number,
      address: invoice.buyer_address,
    },
    lines: invoice.lines.map(({ amount_sar, vat_sar, ...line }) => {
      const [amount, vat] = [moneyToNumber(amount_sar), moneyToNumber(vat_sar)];
      const percent = amount === 0 ? 0 : Math.round((vat * 1000) / amount) / 10;
      return {
        ...line,
        amount_sar: amount,
        vat_percent: percent,
        vat_sar: vat,
        total_sar: Math.round((amount + vat) * 100) / 100,
      };
    }),
    qr: invoice.qr,
  };
}
