import { callingCodeOf } from '../../platform/text/calling-codes.ts';
import { phoneDigits, typedPhone } from '../../platform/text/phone-numbers.ts';
import { idTag, searchableWords, typedWords, wordQuery, wordVector } from '../../platform/text/search-words.ts';
import type { Contact } from './identity.ts';

/** Before the digits of a number in reverse: a number is found by its end. No word of a name begins with it after folding and splitting. */
const REVERSED = '<';
/** A tenant has far fewer customers than orders, so short beginnings are cheap to look up. */
const MIN_DIGITS_OF_BEGINNING = 4;

/** Identifies the customers of the whole tenant or of a branch. */
type Scope = { organizationId: string; branchId: string };

const tagOf = ({ organizationId, branchId }: Scope) => idTag(organizationId) + idTag(branchId);

/** The words under which a customer is found: those of the name, the e-mail address, and the telephone number in both directions. */
export function customerWords(scope: Scope, { name, phone, email }: Contact & { name: string | null }): string | null {
  const digits = phoneDigits(phone);
  const numbers = digits === null ? [] : [digits, REVERSED + reverse(digits)];
  return wordVector(tagOf(scope), [...new Set([...searchableWords(name), ...typedWords(email ?? ''), ...numbers])]);
}

/**
 * A `tsquery` for what a person typed: beginnings of words in any order, or a telephone number in any form, its beginning or its end.
 * Undefined for a text without characters, which is no search.
 */
export function customerQuery(scope: Scope, text: string, timeZone: string): string | undefined {
  const tag = tagOf(scope);
  const phone = typedPhone(text, callingCodeOf(timeZone), MIN_DIGITS_OF_BEGINNING);
  const numbers = [...(phone?.beginnings ?? []), ...(phone?.end === undefined ? [] : [REVERSED + reverse(phone.end)])];
  const words = wordQuery(tag, typedWords(text));
  if (words === undefined) return undefined;
  return [`(${words})`, ...numbers.map((number) => wordQuery(tag, [number]))].join(' | ');
}

function reverse(digits: string): string {
  return [...digits].reverse().join('');
}
