import { nameBasedId } from '../../platform/ids.ts';
import { foldForSearch } from '../../platform/text/folding.ts';

const COUNTRY = '966';
const SHORTEST_NUMBER = 7;

/**
 * The digits of a telephone number with its country code, the same for every spelling: 0501234567, 501234567, +966 50 123 4567 and
 * 00966501234567. Undefined when it cannot be a number: too short, or a single repeated digit, as tills send for customers
 * without a number.
 */
export function normalPhone(phone: string | null): string | undefined {
  if (phone === null) return undefined;
  // Folding turns Arabic digits into 0-9.
  const digits = foldForSearch(phone).replaceAll(/\D+/g, '').replace(/^00+/, '');
  if (digits.length < SHORTEST_NUMBER || /^(\d)\1*$/.test(digits)) return undefined;
  // Numbers without a country code are Saudi: mobiles (5) and land lines (1) have nine digits after the trunk zero.
  const national = /^(?:9660?|0)?([15]\d{8})$/.exec(digits)?.[1];
  return national === undefined ? digits : COUNTRY + national;
}

export type Contact = { phone: string | null; email: string | null };

/**
 * The id of a customer within an organization, derived from the telephone number, else the email address. Null without either. It
 * is deterministic, so that a rebuild keeps the ids.
 */
export function customerIdOf(organizationId: string, { phone, email }: Contact): string | null {
  const number = normalPhone(phone);
  if (number !== undefined) return nameBasedId(`phone ${number}`, organizationId);
  const address = email?.trim().toLowerCase();
  return address ? nameBasedId(`email ${address}`, organizationId) : null;
}
