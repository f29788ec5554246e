import { isId } from '../../../platform/ids.ts';
import { callingCodeOf } from '../../../platform/text/calling-codes.ts';
import { foldForSearch } from '../../../platform/text/folding.ts';
import { typedPhone } from '../../../platform/text/phone-numbers.ts';
import { idTag, typedWords, wordQuery } from '../../../platform/text/search-words.ts';
import { beginningWith, lowerAscii, type TextRange } from '../../../platform/text/text-range.ts';
import { type DayRange, daysOfCode } from './days-of-code.ts';

/** What a search text may be. An order matches when one of these does; each is a look-up in one index. */
export type OrderSearch = {
  id: string | undefined;
  /** The last six characters of the order number, and all of it when it is complete. */
  codeEnd: { end: string; whole: string | undefined } | undefined;
  /** The beginning of the order number, which contains the day of the order. */
  code: { range: TextRange; days: DayRange } | undefined;
  phone: { beginnings: TextRange[]; end: TextRange | undefined } | undefined;
  transactions: TextRange[];
  references: string[];
  email: TextRange | undefined;
  words: WordSearch | undefined;
};

/**
 * Each a `tsquery` in text form: what the index looks up, and what is compared in the rows that it finds. Of `Customer 4711`, the index
 * looks up `4711` only: it would list a million rows that begin with `customer` to keep twenty.
 */
export type WordSearch = {
  indexed: string;
  compared: string | undefined /** The index looks up words with digits only. */;
  isNumbered: boolean;
};

const ORDER_CODE = /^DK-\d{6}-[A-Z0-9]{6}$/;
const END_OF_CODE = /^[A-Z0-9]{6}$/;

/** Undefined for a text without characters, which is no search. */
export function readSearch(
  text: string,
  { organizationId, timeZone }: { organizationId: string; timeZone: string },
): OrderSearch | undefined {
  const typed = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  const folded = foldForSearch(typed);
  if (typed === '') return undefined;
  const capitals = folded.toUpperCase();
  const spellings = [...new Set([typed, folded, capitals])].filter(Boolean);
  const search: OrderSearch = {
    id: isId(folded) ? folded : undefined,
    codeEnd: codeEndOf(capitals),
    code: ORDER_CODE.test(capitals) ? undefined : codeOf(capitals),
    phone: undefined,
    transactions: spellings.map(beginningWith),
    references: spellings,
    email: undefined,
    words: undefined,
  };
  // A complete id or order number is not a name, an address or a telephone number.
  if (search.id !== undefined || ORDER_CODE.test(capitals)) return search;
  return {
    ...search,
    phone: phoneOf(typed, timeZone),
    email: /\s/.test(typed) ? undefined : beginningWith(lowerAscii(typed)),
    words: wordsOf(organizationId, typedWords(typed)),
  };
}

function wordsOf(organizationId: string, words: string[]): WordSearch | undefined {
  const tag = idTag(organizationId);
  const numbered = words.filter((word) => /\p{N}/u.test(word));
  const isMixed = numbered.length > 0 && numbered.length < words.length;
  const indexed = wordQuery(tag, isMixed ? numbered : words);
  if (indexed === undefined) return undefined;
  const others = words.filter((word) => !numbered.includes(word));
  return { indexed, compared: isMixed ? wordQuery(tag, others) : undefined, isNumbered: numbered.length > 0 };
}

function codeEndOf(capitals: string): OrderSearch['codeEnd'] {
  if (ORDER_CODE.test(capitals)) return { end: capitals.slice(-6), whole: capitals };
  return END_OF_CODE.test(capitals) ? { end: capitals, whole: undefined } : undefined;
}

function codeOf(capitals: string): OrderSearch['code'] {
  const days = daysOfCode(capitals);
  return days && { range: beginningWith(capitals), days };
}

function phoneOf(typed: string, timeZone: string): OrderSearch['phone'] {
  const phone = typedPhone(typed, callingCodeOf(timeZone));
  if (phone === undefined) return undefined;
  const { beginnings, end } = phone;
  return {
    beginnings: beginnings.map(beginningWith),
    end: end === undefined ? undefined : beginningWith([...end].reverse().join('')),
  };
}
