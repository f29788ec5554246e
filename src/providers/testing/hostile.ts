import fc from 'fast-check';

/** What a payload of theirs looks like; some of it is then something else. */
export const SHAPES: Record<string, object> = {
  tabby: {
    id: '1',
    status: 'authorized',
    amount: '1.00',
    currency: 'SAR',
    captures: [{ amount: '1', reference_id: 'cap' }],
    refunds: [],
    payment: { id: '1', expires_at: '2026-11-15T09:00:00Z' },
    configuration: { available_products: { installments: [{ web_url: 'https://a' }] } },
  },
  tamara: {
    order_id: '1',
    event_type: 'order_approved',
    status: 'approved',
    total_amount: { amount: 300, currency: 'SAR' },
    captured_amount: { amount: 1 },
    checkout_url: 'https://a',
    auto_captured: true,
  },
  mispay: {
    checkoutId: '1',
    code: 'MP03',
    isFullyRefunded: true,
    status: 'success',
    result: { status: 'success', checkoutId: '1', purchaseAmount: 1, url: 'https://a', trackId: '1' },
  },
  moyasar: {
    id: '1',
    type: 'payment_paid',
    status: 'paid',
    amount: 1,
    currency: 'SAR',
    data: { id: '1', status: 'paid', amount: 100, fee: 1, refunded: 1, currency: 'SAR', metadata: { order_id: '1' } },
  },
  hyperpay: {
    id: '1',
    paymentType: 'DB',
    result: { code: '000.000.000' },
    amount: '1',
    currency: 'SAR',
    records: null,
  },
  paytabs: {
    tran_ref: '1',
    tran_type: 'Refund',
    cart_amount: '1',
    cart_currency: 'SAR',
    tran_total: '1',
    payment_result: { response_status: 'A', transaction_time: '2026-11-15T09:00:00Z' },
  },
  tap: {
    id: 'chg_1',
    object: 'charge',
    status: 'CAPTURED',
    amount: 1,
    currency: 'SAR',
    transaction: { created: '1700000000000' },
    reference: { gateway: '1', payment: '2', order: '3' },
  },
  myfatoorah: {
    Event: { Code: 1, Name: 'X', Reference: '1', CreationDate: '2026-11-15T09:00:00Z' },
    EventType: 1,
    Data: {
      Invoice: { Id: '1', Status: 'PENDING', ExternalIdentifier: '1' },
      Transaction: { Status: 'SUCCESS' },
      Amount: { ValueInBaseCurrency: '1,000.5', BaseCurrency: 'SAR', ServiceCharge: '1' },
      InvoiceId: 1,
      InvoiceStatus: 'Paid',
      InvoiceValue: 1,
      InvoiceTransactions: [{ Currency: 'SR' }],
    },
  },
  geidea: {
    order: {
      orderId: '1',
      amount: 1,
      currency: 'SAR',
      status: 'Success',
      detailedStatus: 'Paid',
      totalRefundedAmount: 1,
    },
    signature: 'x',
    timeStamp: '1',
  },
};

const HOSTILE = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    1e308,
    -1e308,
    '1e308',
    '1e-300',
    '9'.repeat(500),
    '99999-12-31T00:00:00Z',
    '2026-02-31T00:00:00Z',
    'x'.repeat(10_000),
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    '',
    ' ',
    -1,
    0.1,
    [[]],
    JSON.parse('{"__proto__": {"status": "paid"}}'),
  ),
);

/** Replaces what stands at one place of a payload, or all of it. */
export function changed(shape: object): fc.Arbitrary<unknown> {
  const paths = pathsOf(shape);
  return fc.oneof(
    { weight: 1, arbitrary: HOSTILE },
    {
      weight: 5,
      arbitrary: fc.tuple(fc.constantFrom(...paths), HOSTILE).map(([path, value]) => {
        const copy = structuredClone(shape) as Record<string, unknown>;
        const last = path.at(-1) ?? '';
        const holder = path.slice(0, -1).reduce((inner, step) => inner[step] as Record<string, unknown>, copy);
        holder[last] = value;
        return copy;
      }),
    },
  );
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...pathsOf(inner, [...path, name])]);
}
