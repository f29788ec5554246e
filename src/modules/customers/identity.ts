import { v5 } from 'uuid';
import { foldForSearch } from '../../platform/text/folding.ts';

const COUNTRY = '966';
const SHORTEST_NUMBER = 7;

/**
 * The digits by which a telephone is known, country first, whatever way they were written: 0501234567, 501234567,
 * +966 50 123 4567 and 00966501234567 are one. Nothing when it cannot be a number: too short, or one digit all along,
 * as tills send for a buyer who gave none.
 */
export function normalPhone(phone: string | null): string | undefined {
  if (phone === null) return undefined;
  // Folding turns Arabic digits into 0-9.
  const digits = foldForSearch(phone).replaceAll(/\D+/g, '').replace(/^00+/, '');
  if (digits.length < SHORTEST_NUMBER || /^(\d)\1*$/.test(digits)) return undefined;
  // Numbers without a country are the kingdom's: mobiles (5) and land lines (1) have nine digits after the trunk zero.
  const national = /^(?:9660?|0)?([15]\d{8})$/.exec(digits)?.[1];
  return national === undefined ? digits : COUNTRY + national;
}

export type Contact = { phone: string | null; email: string | null };

/**
 * Who a buyer is within one organization: the telephone, else the email address; nobody without either. Always the same
 * id for the same buyer, so that a rebuild gives nobody a new one.
 */
export function customerIdOf(organizationId: string, { phone, email }: Contact): string | null {
  const number = normalPhone(phone);
  if (number !== undefined) return v5(`phone ${number}`, organizationId);
  const address = email?.trim().toLowerCase();
  return address ? v5(`email ${address}`, organizationId) : null;
}

/** A number is found by any of the ways to write it. */
export function customerSearchText({ name, phone, email }: Contact & { name: string | null }): string {
  const number = normalPhone(phone);
  const spellings = [
    phone,
    number && `+${number}`,
    number?.startsWith(COUNTRY) ? `0${number.slice(COUNTRY.length)}` : undefined,
  ];
  const parts = [name, ...spellings, email].map((part) => foldForSearch(part ?? '')).filter(Boolean);
  return [...new Set(parts)].join(' | ');
}

/** What to look for in the search text. A telephone is looked for without the gaps that it is written with. */
export function foldCustomerSearch(search: string): string {
  const folded = foldForSearch(search);
  return /^\+?[\d\s()-]*\d[\d\s()-]*$/.test(folded) ? folded.replaceAll(/[\s()-]/g, '') : folded;
}
