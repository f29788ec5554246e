import { foldForSearch } from './folding.ts';

/** What people write between the digits. */
const PHONE_NUMBER = /^\+?[\d\s().\-/\u2010-\u2015]+$/u;
const PLAIN_DIGITS = /^\d+$/;

/**
 * The digits of a telephone number as it is stored for search: without `+`, `00` or the trunk zero, otherwise as written. Null
 * without digits. It does not depend on a country: `typedPhone` looks for every form that a number may be stored in, so that
 * orders need no look-up of their organization, and stay correct when its country changes.
 */
export function phoneDigits(phone: string | null): string | null {
  if (phone === null) return null;
  const digits = digitsOf(PLAIN_ASCII.test(phone) ? phone : foldForSearch(phone));
  return digits.replace(/^0+/, '') || null;
}

const PLAIN_ASCII = /^[\x20-\x7E]*$/;

/** Up to the first letter, where an extension begins. `(0)` is the trunk zero, which is not dialled from abroad. */
function digitsOf(text: string): string {
  if (PLAIN_DIGITS.test(text)) return text;
  const [number = ''] = text.replace(/^[^\d+]+/, '').split(/\p{L}/u, 1);
  return number.replace('(0)', '').replaceAll(/\D+/g, '');
}

export type TypedPhone = {
  /** As stored: the number is whole or a beginning. Empty when there are too few digits. */
  beginnings: string[];
  /** Its last digits. */
  end: string | undefined;
};

/** Of the millions of orders of a tenant, fewer digits would match most. */
const MIN_DIGITS_OF_BEGINNING = 6;
const MIN_DIGITS_OF_END = 4;

/**
 * The digits to look for when this is a telephone number or a part of one. `callingCode` is that of the organization's country:
 * 050 123 4567, +966 50 123 4567 and 00966 50 123 4567 are one number, and an order may have stored any of them.
 */
export function typedPhone(
  text: string,
  callingCode: string | undefined,
  minDigitsOfBeginning = MIN_DIGITS_OF_BEGINNING,
): TypedPhone | undefined {
  const folded = foldForSearch(text);
  if (!PHONE_NUMBER.test(folded)) return undefined;
  const digits = digitsOf(folded);
  if (digits.length < MIN_DIGITS_OF_END) return undefined;
  const hasPlus = folded.startsWith('+');
  const isInternational = hasPlus || digits.startsWith('00');
  return {
    beginnings: digits.length < minDigitsOfBeginning ? [] : storedForms(digits, isInternational, callingCode),
    end: hasPlus ? undefined : digits,
  };
}

function storedForms(digits: string, isInternational: boolean, callingCode: string | undefined): string[] {
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return [];
  if (callingCode === undefined) return [significant];
  const forms = new Set([significant]);
  const addNational = (national: string) => {
    if (national === '') return;
    // Some write the trunk zero after the calling code.
    for (const form of [national, callingCode + national, `${callingCode}0${national}`]) forms.add(form);
  };
  if (significant.startsWith(callingCode) && !isNational(digits)) {
    addNational(significant.slice(callingCode.length).replace(/^0+/, ''));
  }
  if (!isInternational) addNational(significant);
  return [...forms];
}

function isNational(digits: string): boolean {
  return digits.startsWith('0') && !digits.startsWith('00');
}
