import { type Static, type TSchema, Type } from 'typebox';
import { mutationEnvelopeOf } from '../../platform/http/envelopes.ts';
import { OrderPayload, PAYMENT_METHODS } from '../orders/index.ts';
import * as examples from './examples.ts';

const MAX_AMOUNT = 1e12;
const MAX_LINES = 1_000;
const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const amount = Type.Number({ minimum: 0, maximum: MAX_AMOUNT });

const SaleLineBody = Type.Object(
  {
    sku_iv_id: optional(Type.String({ maxLength: 101, description: 'The iv_id of a SKU in this branch' })),
    barcode: optional(Type.String({ maxLength: 50, description: 'Instead of sku_iv_id' })),
    quantity: Type.Number({ exclusiveMinimum: 0, maximum: 1e9, description: 'At most six decimals' }),
    price: optional(
      Type.Number({
        minimum: 0,
        maximum: MAX_AMOUNT,
        description: "With VAT. Default: the SKU's price, otherwise its product's",
      }),
    ),
  },
  { title: 'TillSaleLine' },
);
export type SaleLineInput = Static<typeof SaleLineBody>;

export const SaleBody = Type.Object(
  {
    branch_iv_id: Type.String({ minLength: 1, maxLength: 255 }),
    lines: Type.Array(SaleLineBody, { minItems: 1, maxItems: MAX_LINES }),
    discounts_amount: optional(amount),
    payment_method: Type.Unsafe<(typeof PAYMENT_METHODS)[number]>({
      title: 'PaymentMethod',
      type: 'string',
      enum: PAYMENT_METHODS,
    }),
    customer: optional(
      Type.Object(
        {
          name: optional(Type.String({ maxLength: 255 })),
          phone: optional(Type.String({ maxLength: 50 })),
          email: optional(Type.String({ maxLength: 320 })),
        },
        { title: 'TillCustomer' },
      ),
    ),
    allow_negative_stock: Type.Optional(
      Type.Boolean({ description: 'true: sells beyond the counted stock, which goes below zero' }),
    ),
  },
  { title: 'TillSale', examples: [examples.sale] },
);
export type SaleInput = Static<typeof SaleBody>;

export const SaleAnswer = Type.Object(
  mutationEnvelopeOf(
    Type.Object({ id: Type.String(), order_number: Type.String(), order: OrderPayload }, { title: 'TillSaleMade' }),
  ).properties,
  { title: 'TillSaleAnswer', examples: [examples.sold] },
);

export const Invoice = Type.Object(
  {
    invoice_number: Type.String({ description: "The branch's iv_id and a number without gaps" }),
    issued_at: Type.String({ format: 'date-time', description: 'To the second, as in the QR code' }),
    seller_name: Type.String(),
    vat_number: Type.String(),
    total: Type.Number({ description: 'With VAT' }),
    vat: Type.Number(),
    qr: Type.String({ description: 'Base64 of tags 1 to 5: seller, VAT number, time, total with VAT, VAT' }),
    uuid: Type.String(),
    hash: Type.String({ description: 'SHA-256 of the canonical XML without the QR code, base64' }),
    previous_hash: Type.String({ description: "The hash of the branch's previous invoice" }),
  },
  { title: 'Invoice', description: 'A simplified tax invoice', examples: [examples.invoice] },
);

export const InvoiceAnswer = Type.Object(mutationEnvelopeOf(Invoice).properties, {
  title: 'InvoiceAnswer',
  examples: [{ success: true, message: 'Invoice issued', data: examples.invoice, timestamp: examples.timestamp }],
});

export const InvoiceQuery = Type.Object({
  format: Type.Optional(
    Type.String({
      maxLength: 50,
      description: 'xml: the UBL 2.1 document. Any other value: the row',
      examples: ['xml'],
    }),
  ),
});

export const InvoiceXml = Type.String({ title: 'InvoiceXml', examples: [examples.invoiceXml] });
