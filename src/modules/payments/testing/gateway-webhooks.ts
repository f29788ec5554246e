import { createCipheriv, createHmac } from 'node:crypto';
import type { VendorSlug } from '../../../../test/vendors/simulator.ts';

export const KEY = 'ab'.repeat(32);
export const hmac = (text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', KEY).update(text).digest(encoding);

/** A payment as a gateway reports it. */
export type PaidReport = { reference: string; order: string; amount: number; at: Date };
type Sent = { body: unknown; headers?: Record<string, string>; kept?: Record<string, unknown> };
/** The webhook of each gateway. `kept` is the payment that a read-back returns; without one the signature covers everything. */
export const GATEWAYS: Record<string, { slug: VendorSlug; settings?: object; paid(report: PaidReport): Sent }> = {
  moyasar: {
    slug: 'moyasar-sync',
    settings: { access_token: 'sk' },
    paid({ reference, order, amount, at: created }) {
      const data = {
        id: reference,
        status: 'paid',
        amount: Math.round(amount * 100),
        fee: 100,
        currency: 'SAR',
        refunded: 0,
        created_at: created.toISOString(),
        metadata: { order_id: order },
      };
      return { body: { id: `evt-${reference}`, type: 'payment_paid', secret_token: KEY, data }, kept: data };
    },
  },
  hyperpay: {
    slug: 'hyperpay-sync',
    paid({ reference, order, amount, at: created }) {
      const payload = {
        id: reference,
        paymentType: 'DB',
        amount: amount.toFixed(2),
        currency: 'SAR',
        merchantTransactionId: order,
        result: { code: '000.000.000' },
        timestamp: created.toISOString().replace('T', ' ').replace(/\..*/, '+0000'),
      };
      const cipher = createCipheriv('aes-256-gcm', Buffer.from(KEY, 'hex'), Buffer.alloc(12, 7));
      const hidden = Buffer.concat([cipher.update(JSON.stringify({ type: 'PAYMENT', payload })), cipher.final()]);
      return {
        body: hidden.toString('hex').toUpperCase(),
        headers: {
          'content-type': 'text/plain',
          'x-initialization-vector': Buffer.alloc(12, 7).toString('hex'),
          'x-authentication-tag': cipher.getAuthTag().toString('hex'),
        },
      };
    },
  },
  paytabs: {
    slug: 'paytabs-sync',
    paid({ reference, order, amount, at: created }) {
      const body = JSON.stringify({
        tran_ref: reference,
        tran_type: 'Sale',
        cart_id: order,
        cart_amount: amount.toFixed(2),
        cart_currency: 'SAR',
        tran_total: amount.toFixed(2),
        tran_currency: 'SAR',
        payment_result: { response_status: 'A', transaction_time: created.toISOString() },
      });
      return { body, headers: { signature: hmac(body, 'hex') } };
    },
  },
  tap: {
    slug: 'tap-sync',
    paid({ reference, order, amount, at: created }) {
      const ms = String(created.getTime());
      const body = {
        id: reference,
        object: 'charge',
        status: 'CAPTURED',
        amount,
        currency: 'SAR',
        transaction: { created: ms },
        reference: { gateway: 'gw', payment: 'pay', order, transaction: 't' },
      };
      const signed = `x_id${reference}x_amount${amount.toFixed(2)}x_currencySARx_gateway_referencegwx_payment_referencepayx_statusCAPTUREDx_created${ms}`;
      return { body, headers: { hashstring: hmac(signed, 'hex') }, kept: body };
    },
  },
  myfatoorah: {
    slug: 'myfatoorah-sync',
    settings: { access_token: 'sk' },
    paid({ reference, order, amount, at: created }) {
      const body = {
        Event: {
          Code: 1,
          Name: 'PAYMENT_STATUS_CHANGED',
          Reference: `WH-${reference}`,
          CountryIsoCode: 'SAU',
          CreationDate: created.toISOString(),
        },
        Data: {
          Invoice: { Id: reference, Status: 'PAID', ExternalIdentifier: order },
          Transaction: { Status: 'SUCCESS', PaymentId: '0707' },
          Amount: { BaseCurrency: 'SAR', ValueInBaseCurrency: amount.toFixed(2) },
        },
      };
      const signed = `Invoice.Id=${reference},Invoice.Status=PAID,Transaction.Status=SUCCESS,Transaction.PaymentId=0707,Invoice.ExternalIdentifier=${order}`;
      const kept = {
        InvoiceId: Number(reference),
        InvoiceStatus: 'Paid',
        InvoiceValue: amount,
        CustomerReference: order,
        InvoiceTransactions: [
          { TransactionStatus: 'Succss', Currency: 'SR', TransactionDate: created.toISOString().slice(0, 19) },
        ],
      };
      return { body, headers: { 'myfatoorah-signature': hmac(signed, 'base64') }, kept };
    },
  },
  geidea: {
    slug: 'geidea-sync',
    settings: { merchant_code: 'public' },
    paid({ reference, order, amount, at: created }) {
      const signed = `public${amount.toFixed(2)}SAR${reference}Success${order}time`;
      const kept = {
        orderId: reference,
        amount,
        currency: 'SAR',
        status: 'Success',
        detailedStatus: 'Paid',
        merchantReferenceId: order,
        merchantPublicKey: 'public',
        totalCapturedAmount: amount,
        totalRefundedAmount: 0,
        createdDate: created.toISOString(),
      };
      const body = { order: kept, timeStamp: 'time', responseCode: '000', signature: hmac(signed, 'base64') };
      return { body, kept };
    },
  },
};
