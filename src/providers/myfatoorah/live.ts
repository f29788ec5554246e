import { findInstant, type Reader, readerOf, Unreadable } from '../../platform/inbound/index.ts';
import { isCurrency } from '../../platform/money.ts';
import {
  type AppSettings,
  findReference,
  type GatewayTransaction,
  getAmount,
  getMapped,
  type PaymentStatus,
  understood,
  type VendorClient,
  VendorRefused,
} from '../contract.ts';

/** Status of the invoice, which is paid once an attempt succeeded. */
const STATUSES: Readonly<Record<string, PaymentStatus>> = {
  paid: 'paid',
  duplicatepayment: 'paid',
  pending: 'pending',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  expired: 'cancelled',
  failed: 'failed',
};

const REFUND_STATUSES: Readonly<Record<string, PaymentStatus>> = {
  refunded: 'refunded',
  pending: 'pending',
  canceled: 'cancelled',
  cancelled: 'cancelled',
};

/** Local currency abbreviations. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  KD: 'KWD',
  SR: 'SAR',
  BD: 'BHD',
  QR: 'QAR',
  OR: 'OMR',
  JD: 'JOD',
  LE: 'EGP',
};

export async function readBack(
  providerReference: string,
  client: VendorClient,
  _settings: AppSettings,
  parentReference?: string,
): Promise<GatewayTransaction> {
  if (parentReference !== undefined) return readRefundBack(providerReference, client);
  return toTransaction(await ask(client, '/v2/getPaymentStatus', { Key: providerReference, KeyType: 'InvoiceId' }));
}

/** A refund has its invoice and an amount in the invoice's currency, so the invoice is fetched for the currency. */
async function readRefundBack(refundId: string, client: VendorClient): Promise<GatewayTransaction> {
  const data = await ask(client, '/v2/GetRefundStatus', { Key: refundId, KeyType: 'RefundId' });
  const refund = understood(() => {
    const refunds = data.at('RefundStatusResult').list();
    return refunds.find((one) => one.at('RefundId').findId() === refundId);
  });
  const invoiceId = understood(() => refund?.at('InvoiceId').findId());
  if (refund === undefined || invoiceId === undefined) throw new VendorRefused(404, 'MyFatoorah knows no such refund');
  const invoice = await readBack(invoiceId, client, {});
  return understood(() => ({
    providerReference: refundId,
    merchantReference: invoice.merchantReference,
    parentReference: invoiceId,
    amount: getAmount(refund.at('Amount')),
    currency: invoice.currency,
    status: getMapped(REFUND_STATUSES, refund.at('RefundStatus')),
    occurredAt: undefined,
  }));
}

async function ask(client: VendorClient, path: string, json: { Key: string; KeyType: string }): Promise<Reader> {
  const answer = await client.call({ method: 'POST', path, json, isRepeatable: true });
  return understood(() => {
    const body = readerOf(answer.json);
    if (body.at('IsSuccess').findFlag() === false)
      throw new VendorRefused(
        answer.status,
        body.at('Message').findText() ?? `MyFatoorah knows no such ${json.KeyType}`,
      );
    return body.at('Data');
  });
}

const toTransaction = (invoice: Reader) => understood(() => readInvoice(invoice));

function readInvoice(invoice: Reader): GatewayTransaction {
  const attempts = invoice.at('InvoiceTransactions').list();
  const paid = attempts.find((one) => /^succ/i.test(one.at('TransactionStatus').findText() ?? ''));
  const attempt = paid ?? attempts.at(-1) ?? invoice;
  return {
    providerReference: invoice.at('InvoiceId').getId(),
    merchantReference: findReference(invoice.at('CustomerReference'), invoice.at('UserDefinedField')),
    amount: getAmount(invoice.at('InvoiceValue')),
    currency: getShortCurrency(invoice, attempt),
    status: getMapped(STATUSES, invoice.at('InvoiceStatus')),
    occurredAt: findInstant(
      (attempt.at('TransactionDate').findText() ?? invoice.at('CreatedDate').findText())?.slice(0, 23),
      'UTC',
    ),
  };
}

/** The value is in the portal's currency, which an attempt names; without attempts it is part of the display value. */
function getShortCurrency(invoice: Reader, attempt: Reader): string {
  const display = /[A-Za-z]{2,3}$/.exec(invoice.at('InvoiceDisplayValue').findText() ?? '')?.[0];
  const named = (attempt.at('Currency').findText() ?? display ?? '').toUpperCase();
  const code = Object.hasOwn(SHORT_NAMES, named) ? SHORT_NAMES[named] : named;
  if (code === undefined || !isCurrency(code))
    throw new Unreadable('unexpected', 'Currency is not a currency', 'Currency');
  return code;
}
