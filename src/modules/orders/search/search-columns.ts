import { phoneDigits } from '../../../platform/text/phone-numbers.ts';
import { idTag, searchableWords, wordVector } from '../../../platform/text/search-words.ts';
import type { Order } from '../order.ts';

/** Columns that only a search reads. They are written with the order and never read back. */
export type SearchColumns = {
  /** Words of both names, each with the tag of the tenant: a `tsvector` in text form. */
  search_words: string | null;
  phone_digits: string | null;
};

type SearchedFields = Pick<Order, 'organization_id' | 'customer_name' | 'receiver_name' | 'customer_phone'>;

/** E-mail address, source transaction, order number and id are searched in their own columns. */
export function searchColumnsOf(order: SearchedFields): SearchColumns {
  const { organization_id, customer_name, receiver_name, customer_phone } = order;
  return {
    search_words: wordVector(idTag(organization_id), searchableWords(customer_name, receiver_name)),
    phone_digits: phoneDigits(customer_phone),
  };
}
