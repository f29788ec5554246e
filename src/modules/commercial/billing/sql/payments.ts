import type { Tx } from '../../../../platform/database/index.ts';

/** The five methods of orders, and the others by which operators are paid. */
export const PAYMENT_METHODS = [
  'bank_transfer',
  'credit_card',
  'debit_card',
  'card',
  'wallet',
  'cash',
  'cheque',
  'sadad',
  'online',
] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
export type PaymentStatus = 'succeeded' | 'pending' | 'failed';

export type PaymentRow = {
  organization_id: string;
  id: string;
  amount_sar: string;
  vat_sar: string;
  total_sar: string;
  method: PaymentMethod;
  status: PaymentStatus;
  reference: string;
  created_by: string;
  created: Date;
};

export async function insertPaymentRow(tx: Tx, payment: PaymentRow): Promise<void> {
  await tx`
    insert into billing_payments (organization_id, id, amount_sar, vat_sar, method, status, reference, created_by, created)
    values (${payment.organization_id}, ${payment.id}, ${payment.amount_sar}, ${payment.vat_sar}, ${payment.method},
            ${payment.status}, ${payment.reference}, ${payment.created_by}, ${payment.created})`;
}
