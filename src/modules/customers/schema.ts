import { type Static, Type } from 'typebox';
import { listEnvelopeOf } from '../../platform/http/envelopes.ts';
import { PageQuery } from '../../platform/http/paging.ts';
import { SORT_COLUMNS } from './sql/customers.ts';

/** A whole name can be searched for. */
const MAX_SEARCH_CHARACTERS = 255;

const example = {
  id: '5b1e2a34-8f0c-5d6e-9a7b-3c4d5e6f7a8b',
  name: 'نورة العتيبي',
  phone: '+966501234567',
  email: 'noura@example.com',
  orders: 7,
  spent: 612.4,
  currency: 'SAR',
  first_order_at: '2026-02-03T17:20:00.000Z',
  last_order_at: '2026-11-15T08:00:00.000Z',
};

const text = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const Customer = Type.Object(
  {
    id: Type.String({ description: 'The same for the same telephone number, else email address' }),
    name: text,
    phone: text,
    email: text,
    orders: Type.Integer({ description: 'Orders that are not deleted' }),
    spent: Type.Number({ description: 'In `currency`. Excludes cancelled and refunded orders' }),
    currency: Type.String({ description: 'The currency of the latest order' }),
    first_order_at: Type.String(),
    last_order_at: Type.String(),
  },
  {
    title: 'Customer',
    description: 'The customer of all orders with one telephone number or email address',
    examples: [example],
  },
);
export type CustomerShape = Static<typeof Customer>;

export const CustomerList = listEnvelopeOf(Customer);

export const CustomerParams = Type.Object({
  id: Type.String({ description: "The customer's id", examples: [example.id] }),
});

export const CustomerQuery = Type.Object({
  ...PageQuery,
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_CHARACTERS,
      description:
        'Beginnings of words of the name in any order, the beginning of the email address, or a telephone number in any form: whole, its beginning or its last four digits or more',
    }),
  ),
  sort: Type.Optional(
    Type.String({ description: `${SORT_COLUMNS.join(', ')}. Prefix with - for descending. Default: -last_order_at` }),
  ),
});
const { page, limit, ...filters } = CustomerQuery.properties;
/** The search and the sort of the list, without pages. */
export const CustomerExportQuery = Type.Object(filters);

export const CustomerExport = Type.String({
  description: 'UTF-8 with a byte order mark, CRLF line ends, the first line names the columns',
  examples: [
    '\uFEFFid,name,phone,email,orders,spent\r\n5b1e2a34-8f0c-5d6e-9a7b-3c4d5e6f7a8b,نورة,0501234567,,7,612.4\r\n',
  ],
});

export type CustomerQueryShape = Static<typeof CustomerQuery>;
