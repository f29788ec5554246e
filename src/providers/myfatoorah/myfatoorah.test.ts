import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { callOf, RIYADH } from '../../channels/testing/calls.ts';
import { samplesOf } from '../../channels/testing/samples.ts';
import { inTurn, vendorOf } from '../../channels/testing/vendor.ts';
import { toText, ZERO } from '../../platform/money.ts';
import { VendorRefused, VendorUnavailable } from '../contract.ts';
import { isVerified } from '../testing/signatures.ts';
import { myfatoorah } from './index.ts';

const FIRST = {
  EventType: 1,
  Event: 'TransactionsStatusChanged',
  DateTime: '15112026120000',
  CountryIsoCode: 'SAU',
  Data: {
    InvoiceId: 586170,
    CustomerReference: 'ORD-7',
    CustomerEmail: null,
    TransactionStatus: 'SUCCESS',
    PaymentId: '100202106359084366',
    InvoiceValueInBaseCurrency: '45.6',
    BaseCurrency: 'KWD',
    InvoiceValueInDisplayCurreny: '1,556.75',
    DisplayCurrency: 'SAR',
  },
};
const SECOND = {
  Event: {
    Code: 1,
    Name: 'PAYMENT_STATUS_CHANGED',
    Reference: 'WH-1',
    CountryIsoCode: 'SAU',
    CreationDate: '2026-11-15T08:59:00.123Z',
  },
  Data: {
    Invoice: { Id: '6389662', Status: 'PAID', ExternalIdentifier: 'ORD-7' },
    Transaction: { Status: 'SUCCESS', PaymentId: '0707' },
    Amount: { BaseCurrency: 'SAR', ValueInBaseCurrency: '150.00', ServiceCharge: '2.5', ServiceChargeVAT: '0.375' },
  },
};
const REFUND = {
  Event: { ...SECOND.Event, Code: 2, Name: 'REFUND_STATUS_CHANGED' },
  Data: {
    Refund: { Id: 19, Status: 'REFUNDED' },
    Amount: { BaseCurrency: 'SAR', ValueInBaseCurrency: '5' },
    ReferencedInvoice: { Id: '2474' },
  },
};
const read = (body: object) => myfatoorah.readTransaction(callOf(body), RIYADH);

describe('a call', () => {
  const settings = { webhook_secret: 'key' };
  const sign = (text: string) => createHmac('sha256', 'key').update(text).digest('base64');
  const verified = (body: unknown, text: string) =>
    isVerified(myfatoorah.app, settings, body, { headers: { 'myfatoorah-signature': sign(text) } });
  const v1 = (Data: unknown, EventType = 1) => ({ EventType, Event: 'X', Data });

  test('of the first version signs all of its data, sorted without regard to case, nothing for null', () => {
    expect(verified(v1({ b: 2, A: 1, aB: null, AA: 'x' }), 'A=1,AA=x,aB=,b=2')).toBe(true);
    expect(verified(v1({ b: 2, A: 1, aB: null, AA: 'x' }), 'A=1,AA=x,aB=null,b=2')).toBe(false);
    expect(verified(v1({ Zebra: 1, apple: 2 }), 'apple=2,Zebra=1')).toBe(true);
    expect(verified(v1({ Id: 9_007_199_254_740_993n }), 'Id=9007199254740993')).toBe(true);
  });

  test('about a refund leaves out what the gateway called it, about others it does not', () => {
    const data = { RefundId: 2840, GatewayReference: { PaymentId: '1' } };
    expect(verified(v1(data, 2), 'RefundId=2840')).toBe(true);
    expect(verified(v1({ RefundId: 1, GatewayReference: 'g' }, 1), 'GatewayReference=g,RefundId=1')).toBe(true);
  });

  test('of the second version signs few fields of each event', () => {
    const text =
      'Invoice.Id=6389662,Invoice.Status=PAID,Transaction.Status=SUCCESS,Transaction.PaymentId=0707,Invoice.ExternalIdentifier=ORD-7';
    expect(verified(SECOND, text)).toBe(true);
    expect(verified({ ...SECOND, Data: { ...SECOND.Data, Invoice: { Id: '1' } } }, text)).toBe(false);
    const { ExternalIdentifier, ...unnamed } = SECOND.Data.Invoice;
    const emptied = text.replace('=ORD-7', '=');
    for (const Invoice of [unnamed, { ...unnamed, ExternalIdentifier: null }])
      expect(verified({ ...SECOND, Data: { ...SECOND.Data, Invoice } }, emptied)).toBe(true);
    expect(
      verified(REFUND, 'Refund.Id=19,Refund.Status=REFUNDED,Amount.ValueInBaseCurrency=5,ReferencedInvoice.Id=2474'),
    ).toBe(true);
    const event = (Code: unknown, Data: object) => ({ Event: { Code }, Data });
    const deposit = { Deposit: { Reference: '1', ValueInBaseCurrency: 78.2, NumberOfTransactions: 2 } };
    expect(
      verified(
        event(3, deposit),
        'Deposit.Reference=1,Deposit.ValueInBaseCurrency=78.2,Deposit.NumberOfTransactions=2',
      ),
    ).toBe(true);
    expect(
      verified(
        event(4, { Supplier: { Code: 2 }, KycDecision: { Status: 'APPROVED' } }),
        'Supplier.Code=2,KycDecision.Status=APPROVED',
      ),
    ).toBe(true);
    expect(
      verified(
        event(5, { Recurring: { Id: 'R', Status: 'ACTIVE', InitialInvoiceId: 3 } }),
        'Recurring.Id=R,Recurring.Status=ACTIVE,Recurring.InitialInvoiceId=3',
      ),
    ).toBe(true);
    for (const code of [6, 'constructor', null]) expect(verified(event(code, {}), '')).toBe(false);
  });

  test('without a signature, data or secret is not verified', () => {
    expect(isVerified(myfatoorah.app, settings, SECOND)).toBe(false);
    for (const data of [null, [], 'x', undefined]) expect(verified(v1(data), '')).toBe(false);
    expect(verified('not json', '')).toBe(false);
    expect(isVerified(myfatoorah.app, {}, FIRST, { headers: { 'myfatoorah-signature': sign('') } })).toBe(false);
  });

  test('of the second version has an id of its own', () => {
    const idOf = (body: unknown) => myfatoorah.app.inbound?.findDeliveryId?.(callOf(body));
    expect([idOf(SECOND), idOf(FIRST), idOf('not json')]).toEqual(['WH-1', undefined, undefined]);
  });
});

describe('a transaction', () => {
  test('of the first version is in the currency of the shop, on the clock of the shop', () => {
    const reading = read(FIRST);
    expect(reading).toMatchObject({
      event: 'TransactionsStatusChanged',
      transaction: {
        providerReference: '586170',
        merchantReference: 'ORD-7',
        currency: 'SAR',
        status: 'paid',
        occurredAt: new Date('2026-11-15T09:00:00Z'),
      },
    });
    expect(reading.kind === 'transaction' && toText(reading.transaction.amount)).toBe('1556.75');
  });

  test('of the second version has its fee', () => {
    const reading = read(SECOND);
    if (reading.kind !== 'transaction') throw new Error(reading.kind);
    expect(reading.transaction).toMatchObject({
      providerReference: '6389662',
      merchantReference: 'ORD-7',
      status: 'paid',
      occurredAt: new Date('2026-11-15T08:59:00.123Z'),
    });
    expect([reading.transaction.amount, reading.transaction.fee ?? ZERO].map(toText)).toEqual(['150.00', '2.875']);
  });

  test.each([
    ['SUCCESS', 'paid'],
    ['AUTHORIZE', 'pending'],
    ['PENDING', 'pending'],
    ['FAILED', 'failed'],
    ['CANCELED', 'cancelled'],
  ])('%s is %s in both versions', (word, status) => {
    expect(read({ ...FIRST, Data: { ...FIRST.Data, TransactionStatus: word } })).toMatchObject({
      transaction: { status },
    });
    const Invoice = { ...SECOND.Data.Invoice, Status: 'PENDING' };
    const Data = { ...SECOND.Data, Invoice, Transaction: { Status: word } };
    expect(read({ ...SECOND, Data })).toMatchObject({ transaction: { status } });
  });

  test('that failed on an invoice which is paid already is paid', () => {
    const Data = { ...SECOND.Data, Transaction: { Status: 'FAILED' } };
    expect(read({ ...SECOND, Data })).toMatchObject({ transaction: { status: 'paid' } });
  });

  test('of a refund belongs to the invoice, and counts when it is done', () => {
    expect(read(REFUND)).toMatchObject({
      transaction: { providerReference: '19', parentReference: '2474', status: 'refunded', currency: 'SAR' },
    });
    expect(read({ ...REFUND, Data: { ...REFUND.Data, Refund: { Id: 19, Status: 'CANCELED' } } }).kind).toBe('ignored');
    const first = {
      ...FIRST,
      EventType: 2,
      Event: 'RefundStatusChanged',
      CountryIsoCode: 'KWT',
      Data: { RefundId: 2840, RefundStatus: 'REFUNDED', Amount: '5.250', InvoiceId: '586170' },
    };
    expect(read(first)).toMatchObject({
      transaction: { providerReference: '2840', parentReference: '586170', currency: 'KWD', status: 'refunded' },
    });
    expect(read({ ...first, CountryIsoCode: 'constructor' })).toMatchObject({ transaction: { currency: 'SAR' } });
  });

  test('is not a transfer, a supplier or a subscription', () => {
    for (const EventType of [3, 4, 5]) expect(read({ ...FIRST, EventType }).kind).toBe('ignored');
  });

  test('is read back as its invoice', async () => {
    const invoice = {
      InvoiceId: 586170,
      InvoiceStatus: 'Paid',
      CustomerReference: 'ORD-7',
      InvoiceValue: 456.75,
      InvoiceTransactions: [
        { TransactionStatus: 'Succss', Currency: 'KD', TransactionDate: '2026-11-15T08:59:00.1234567' },
        { TransactionStatus: 'Failed', Currency: 'KD' },
      ],
    };
    const { client, calls } = vendorOf(inTurn({ IsSuccess: true, Data: invoice }));
    expect(await myfatoorah.readBack('586170', client, {})).toMatchObject({
      providerReference: '586170',
      currency: 'KWD',
      status: 'paid',
      occurredAt: new Date('2026-11-15T08:59:00.123Z'),
    });
    expect(calls).toEqual([
      {
        method: 'POST',
        path: '/v2/getPaymentStatus',
        json: { Key: '586170', KeyType: 'InvoiceId' },
        isRepeatable: true,
      },
    ]);
    const refused = vendorOf(inTurn({ IsSuccess: false, Message: 'No data match' }));
    await expect(myfatoorah.readBack('1', refused.client, {})).rejects.toThrow(VendorRefused);
    await expect(myfatoorah.readBack('1', vendorOf(inTurn({})).client, {})).rejects.toThrow(VendorUnavailable);
  });
});

test.each(samplesOf('myfatoorah').map(({ name, json }): [string, object] => [name, json]))(
  '%s: as it came',
  (name, json) => {
    const reading = read(json);
    if (name.includes('balance')) expect(reading.kind).toBe('ignored');
    else
      expect(reading).toMatchObject({
        transaction: { status: name.includes('success') ? 'paid' : 'failed', currency: 'KWD' },
      });
  },
);
