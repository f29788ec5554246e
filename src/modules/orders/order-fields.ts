/** A line item as stored: the client's own object. The five known fields are validated. */
export type OrderLine = {
  product_id: string;
  sku_id: string;
  name?: string | null;
  quantity?: number;
  price?: number;
  [other: string]: unknown;
};

/** The TypeScript type of each kind of column. */
type ColumnTypes = {
  text: string;
  amount: number;
  instant: Date;
  flag: boolean;
  object: object;
  texts: string[];
  lines: OrderLine[];
};

type OrderField = {
  type: keyof ColumnTypes;
  nullable?: true;
  /** Set by the service, not part of change detection: no event names it in `changed_fields`. */
  untracked?: true;
  /**
   * Optional in the request body, where `null` is the same as absent. Absent texts, instants and objects are stored as null,
   * amounts as 0, flags as false. Fields with rules of their own are declared in schema.ts and place/build-order.ts instead.
   */
  input?: true;
  /** Of a text in the request body. */
  maxLength?: number;
};

/**
 * The fields of an order that clients read, in the order of the `order` object of the interface. Columns, types, change
 * detection, request body, answers, canonical form and CSV are derived from this file: see README.md, "Adding a field".
 */
export const ORDER_FIELDS = {
  id: { type: 'text', untracked: true },
  organization_id: { type: 'text', untracked: true },
  source_reference: { type: 'text', nullable: true, input: true, maxLength: 255 },
  source_transaction_id: { type: 'text', nullable: true, input: true, maxLength: 255 },
  source_timestamp: { type: 'instant', nullable: true, input: true },
  destination_id: { type: 'text', nullable: true },
  destination_reference: { type: 'text', nullable: true, input: true, maxLength: 255 },
  order_status: { type: 'text' },
  fulfillment_status: { type: 'text' },
  payment_status: { type: 'text' },
  fulfillment_method: { type: 'text', nullable: true },
  payment_method: { type: 'text', nullable: true },
  currency: { type: 'text' },
  total_amount: { type: 'amount', input: true },
  discounts_amount: { type: 'amount', input: true },
  vat_amount: { type: 'amount', input: true },
  customer_name: { type: 'text', nullable: true, input: true, maxLength: 255 },
  customer_phone: { type: 'text', nullable: true, input: true, maxLength: 50 },
  customer_email: { type: 'text', nullable: true, input: true, maxLength: 320 },
  receiver_name: { type: 'text', nullable: true, input: true, maxLength: 255 },
  receiver_phone: { type: 'text', nullable: true, input: true, maxLength: 50 },
  skus: { type: 'texts' },
  products: { type: 'lines' },
  shipping_address: { type: 'object', nullable: true, input: true },
  order_code: { type: 'text', untracked: true },
  order_type: { type: 'text', nullable: true, input: true, maxLength: 100 },
  transport_type: { type: 'text', nullable: true, input: true, maxLength: 100 },
  comment: { type: 'text', nullable: true, input: true, maxLength: 5000 },
  promised_for: { type: 'instant', nullable: true, input: true },
  is_preorder: { type: 'flag', input: true },
  delivery_fee: { type: 'amount', input: true },
  service_fee: { type: 'amount', input: true },
  subtotal: { type: 'amount', input: true },
  store_name: { type: 'text', nullable: true },
  dispatch_routing: { type: 'object', nullable: true, input: true },
  shipping_fulfillment: { type: 'object', nullable: true, input: true },
  created_at: { type: 'instant', untracked: true },
  updated_at: { type: 'instant', untracked: true },
} as const satisfies Record<string, OrderField>;

/** The fields of the canonical form that are a stored field under another name. canonical/canonical-order.ts adds the others. */
export const CANONICAL_FIELDS = {
  external: { order_id: 'source_transaction_id', reference: 'source_reference', code: 'order_code' },
  payment: { status_raw: 'payment_status', method: 'payment_method' },
  fulfillment: {
    status_raw: 'fulfillment_status',
    method: 'fulfillment_method',
    type: 'order_type',
    transport: 'transport_type',
    promised_for: 'promised_for',
    is_preorder: 'is_preorder',
  },
  amounts: {
    currency: 'currency',
    subtotal: 'subtotal',
    discounts: 'discounts_amount',
    vat: 'vat_amount',
    delivery_fee: 'delivery_fee',
    service_fee: 'service_fee',
    total: 'total_amount',
  },
  branch: { id: 'destination_id', reference: 'destination_reference', name: 'store_name' },
  customer: { name: 'customer_name', phone: 'customer_phone', email: 'customer_email' },
  receiver: { name: 'receiver_name', phone: 'receiver_phone' },
  /** Outside of any group. */
  top: { shipping_address: 'shipping_address', comment: 'comment' },
} as const satisfies Record<string, Record<string, OrderFieldName>>;

/** The columns of the CSV export, in their order. export/csv.ts computes `status` and `normalised_payment_status`. */
export const CSV_COLUMNS = [
  'id',
  'order_code',
  'created_at',
  'updated_at',
  'app_slug',
  'source',
  'source_reference',
  'source_transaction_id',
  'source_timestamp',
  'destination_id',
  'store_name',
  'status',
  'order_status',
  'normalised_payment_status',
  'payment_status',
  'fulfillment_status',
  'fulfillment_method',
  'payment_method',
  'currency',
  'subtotal',
  'discounts_amount',
  'vat_amount',
  'delivery_fee',
  'service_fee',
  'total_amount',
  'customer_name',
  'customer_phone',
  'customer_email',
  'receiver_name',
  'receiver_phone',
  'skus',
  'promised_for',
  'comment',
] as const;

type Fields = typeof ORDER_FIELDS;
export type OrderFieldName = keyof Fields;
type Nullable<Field, Value> = Field extends { nullable: true } ? Value | null : Value;

/** The fields as the table stores them. */
export type OrderFields = { [Name in OrderFieldName]: Nullable<Fields[Name], ColumnTypes[Fields[Name]['type']]> };

/** The fields as JSON answers show them: instants as RFC 3339 text. */
export type ShownField<Name extends OrderFieldName> = Fields[Name]['type'] extends 'instant'
  ? Nullable<Fields[Name], string>
  : OrderFields[Name];

/** The fields that the request body takes by the rule of their type. */
export type InputFieldName = {
  [Name in OrderFieldName]: Fields[Name] extends { input: true } ? Name : never;
}[OrderFieldName];

export const ORDER_FIELD_NAMES = Object.keys(ORDER_FIELDS) as OrderFieldName[];

export const fieldOf = (name: OrderFieldName): OrderField => ORDER_FIELDS[name];

export const INPUT_FIELD_NAMES = ORDER_FIELD_NAMES.filter((name) => fieldOf(name).input) as InputFieldName[];

/** The fields that events name in `changed_fields`. */
export const TRACKED_FIELD_NAMES = ORDER_FIELD_NAMES.filter((name) => !fieldOf(name).untracked);
