import { type Static, Type } from 'typebox';
import { exampleOrderId } from '../orders/index.ts';
import { PAYLINK_STATUSES } from './paylink.ts';
import { TRANSACTION_STATUSES } from './transaction.ts';

export const EXAMPLE_PAYLINK_ID = '0193a1f0-7c00-7000-8000-0000000000a1';
export const EXAMPLE_PAYMENT_ORDER_ID = '0193a1f0-7c00-7000-8000-0000000000a2';
export const EXAMPLE_TRANSACTION_ID = '0193a1f0-7c00-7000-8000-0000000000a3';

const nullable = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Number>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

export const ProviderList = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          type: Type.Enum(['bnpl', 'gateway_sync'], {
            description: 'bnpl: supports payment links. gateway_sync: its transactions are matched to orders',
          }),
          name_en: Type.String(),
          name_ar: Type.String(),
          app_slug: Type.String(),
          installed: Type.Boolean(),
          enabled: Type.Boolean(),
        },
        { title: 'Provider' },
      ),
    ),
  },
  {
    title: 'ProviderList',
    examples: [
      {
        data: [
          {
            id: 'tabby',
            type: 'bnpl',
            name_en: 'Tabby',
            name_ar: 'تابي',
            app_slug: 'tabby-pos-paylinks',
            installed: true,
            enabled: true,
          },
        ],
      },
    ],
  },
);

const MAX_AMOUNT = 1e12;
const amount = Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: MAX_AMOUNT });

const LineItem = Type.Object(
  {
    sku: Type.String({ minLength: 1, maxLength: 255 }),
    name: Type.String({ minLength: 1, maxLength: 500 }),
    qty: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    price: Type.Number({ minimum: 0, exclusiveMaximum: MAX_AMOUNT }),
  },
  { title: 'PaymentLine' },
);
export type LineItemInput = Static<typeof LineItem>;
const lineItems = (minItems: number) => Type.Array(LineItem, { minItems, maxItems: 1000 });

const text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]));

const exampleLine = { sku: 'PAIN-0003_RUH-OLAYA', name: 'Panadol Advance 24', qty: 2, price: 8.75 };

export const PaylinkBody = Type.Object(
  {
    order_id: Type.Optional(
      Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
        description: 'The order to pay; its total, lines and customer are used',
      }),
    ),
    amount: Type.Optional(Type.Union([amount, Type.Null()], { description: 'Required without order_id' })),
    currency: Type.Optional(Type.Union([Type.String({ pattern: '^[A-Za-z]{3}$' }), Type.Null()])),
    line_items: Type.Optional(Type.Union([lineItems(0), Type.Null()])),
    customer: Type.Optional(
      Type.Union([
        Type.Object({ name: text(255), phone: text(50), email: text(320) }, { title: 'PaymentCustomer' }),
        Type.Null(),
      ]),
    ),
  },
  {
    title: 'NewPaylink',
    examples: [
      { order_id: exampleOrderId },
      {
        amount: 17.5,
        currency: 'SAR',
        line_items: [exampleLine],
        customer: { name: 'نورة العتيبي', phone: '+966500000001' },
      },
    ],
  },
);
export type PaylinkInput = Static<typeof PaylinkBody>;

const examplePaylink = {
  id: EXAMPLE_PAYLINK_ID,
  provider: 'tabby',
  order_id: exampleOrderId,
  status: 'created',
  amount: 27.5,
  currency: 'SAR',
  url: 'https://checkout.tabby.ai/?sessionId=8c5f0d7e',
  provider_reference: '8c5f0d7e-3b0f-4a0b-9d0e-2a2f3f0d7c11',
  captured_amount: 0,
  refunded_amount: 0,
  created: '2026-11-15T08:00:00.000Z',
  updated: '2026-11-15T08:00:00.000Z',
  expires_at: '2026-11-15T08:20:00.000Z',
};

export const PaylinkShape = Type.Object(
  {
    id: Type.String(),
    provider: Type.String(),
    order_id: nullable(Type.String()),
    status: Type.Enum([...PAYLINK_STATUSES], {
      description:
        'authorized: the customer has agreed and an amount is left to capture. captured: nothing is left to capture',
    }),
    amount: Type.Number(),
    currency: Type.String(),
    url: Type.String({ description: 'The page on which the customer agrees to pay' }),
    provider_reference: Type.String({ description: "The payment's id at the provider" }),
    captured_amount: Type.Number(),
    refunded_amount: Type.Number(),
    created: Type.String(),
    updated: Type.String(),
    expires_at: nullable(Type.String()),
  },
  { title: 'Paylink', examples: [examplePaylink] },
);

export const CaptureBody = Type.Object(
  {
    amount: Type.Optional(
      Type.Union([amount, Type.Null()], { description: 'Part of the remaining amount. Default: all of it' }),
    ),
  },
  { title: 'Capture', examples: [{ amount: 27.5 }] },
);

export const PaymentOrderBody = Type.Object(
  {
    providers: Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 100,
      description: 'Provider ids of GET /providers, preferred first. Providers without payment links are ignored',
    }),
    order: Type.Object({
      total_amount: amount,
      currency: Type.String({ pattern: '^[A-Za-z]{3}$' }),
      line_items: lineItems(1),
    }),
  },
  {
    title: 'NewPaymentOrder',
    examples: [
      {
        providers: ['tabby', 'tamara'],
        order: { total_amount: 17.5, currency: 'SAR', line_items: [exampleLine] },
      },
    ],
  },
);
export type PaymentOrderInput = Static<typeof PaymentOrderBody>;

export const PaymentOrderShape = Type.Object(
  {
    order_id: Type.String(),
    accepted_gateways: Type.Array(Type.String()),
    active_gateway: Type.String({ description: 'The first accepted gateway, which was asked for the payment page' }),
    app_slug: Type.String(),
    execute_endpoint: Type.String(),
    execute_method: Type.String(),
    next_action: Type.Object({ type: Type.String(), url: Type.String() }),
  },
  {
    title: 'PaymentOrder',
    examples: [
      {
        order_id: EXAMPLE_PAYMENT_ORDER_ID,
        accepted_gateways: ['tabby', 'tamara'],
        active_gateway: 'tabby',
        app_slug: 'tabby-pos-paylinks',
        execute_endpoint: '/api/v1/providers/tabby/paylinks',
        execute_method: 'POST',
        next_action: { type: 'redirect', url: examplePaylink.url },
      },
    ],
  },
);

export const ConfirmBody = Type.Object(
  { provider: Type.String({ minLength: 1, maxLength: 100 }) },
  { title: 'PaymentConfirmation', examples: [{ provider: 'tabby' }] },
);

export const ConfirmShape = Type.Object(
  {
    order_id: Type.String(),
    provider: Type.String(),
    status: Type.String(),
    confirmed_app: Type.String(),
    confirm_endpoint: Type.String(),
    confirm_method: Type.String(),
    requires_qr_sms: Type.Boolean({ description: 'The customer has to continue on a phone' }),
  },
  {
    title: 'ConfirmedPayment',
    examples: [
      {
        order_id: EXAMPLE_PAYMENT_ORDER_ID,
        provider: 'tabby',
        status: 'completed',
        confirmed_app: 'tabby-pos-paylinks',
        confirm_endpoint: `/api/v1/providers/tabby/paylinks/${EXAMPLE_PAYLINK_ID}/capture`,
        confirm_method: 'POST',
        requires_qr_sms: false,
      },
    ],
  },
);

export const TransactionShape = Type.Object(
  {
    id: Type.String(),
    provider: Type.String(),
    provider_reference: Type.String(),
    order_id: nullable(Type.String()),
    amount: Type.Number(),
    currency: Type.String(),
    status: Type.Enum([...TRANSACTION_STATUSES]),
    fee: nullable(Type.Number()),
    occurred_at: Type.String(),
    matched_by: Type.Union([Type.Enum(['reference', 'amount_and_time', 'hand']), Type.Null()]),
    created: Type.String(),
  },
  {
    title: 'Transaction',
    examples: [
      {
        id: EXAMPLE_TRANSACTION_ID,
        provider: 'moyasar',
        provider_reference: '760878ec-d1d3-5f72-9056-191683f55872',
        order_id: exampleOrderId,
        amount: 27.5,
        currency: 'SAR',
        status: 'paid',
        fee: 0.8,
        occurred_at: '2026-11-15T08:00:00.000Z',
        matched_by: 'reference',
        created: '2026-11-15T08:00:05.000Z',
      },
    ],
  },
);

export const MatchBody = Type.Object(
  { order_id: Type.String({ minLength: 1, maxLength: 100 }) },
  { title: 'TransactionMatch', examples: [{ order_id: exampleOrderId }] },
);
