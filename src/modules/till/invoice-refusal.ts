import { conflict, type Problem } from '../../platform/http/problem.ts';
import { reasonOf } from '../../platform/http/reason.ts';

/** Why an order gets no invoice, with the figures of the decision. */
export type InvoiceRefusal = { error: RefusalSentence; figures: Record<string, unknown> };

/** `error` with the explanation for `details`. The reason is the sentence in snake_case. */
const EXPLANATIONS = {
  'Order cancelled': 'a cancelled order is not a sale',
  'Order refunded': 'the money went back; a refund is documented by a credit note, not by an invoice',
  'Currency not supported': 'an invoice states its amounts in SAR with two decimals',
  'Order without lines': 'an invoice lists what was sold',
  'Line without an amount': 'every line needs a price and a quantity of at least 0',
  'Order without a total': 'total_amount must be above 0',
  'Total too precise': 'total_amount must have at most two decimals',
  'Amounts do not add up':
    'lines less discounts plus fees, with vat_amount where prices exclude VAT, must equal total_amount within half a halala a line',
  'VAT missing': 'vat_amount is 0, but the catalog or the line taxes these goods',
  'VAT does not agree':
    'vat_amount must be what the VAT rates of the goods, and 15 % on fees, come to within half a halala a line',
  'VAT rate not supported': 'the tax authority accepts 15, 5 and 0 %',
} as const;
export type RefusalSentence = keyof typeof EXPLANATIONS;

export const REFUSAL_SENTENCES = Object.keys(EXPLANATIONS) as RefusalSentence[];

export function notInvoiceable({ error, figures }: InvoiceRefusal): Problem {
  const reason = reasonOf(error).replaceAll('-', '_');
  return conflict(error, { reason, explanation: EXPLANATIONS[error], ...figures });
}
