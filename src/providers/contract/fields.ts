import { isSignedBy, type Reader, Unreadable } from '../../platform/inbound/index.ts';
import { currencyDigits, type Decimal, isCurrency } from '../../platform/money.ts';

export function getCurrency(reader: Reader): string {
  const code = reader.findText()?.toUpperCase();
  if (code === undefined || !isCurrency(code))
    throw new Unreadable('unexpected', `${reader.path || 'The payload'} is not a currency`, reader.path);
  return code;
}

/** Of a transaction. A refund says by its status what it is, not by its sign. */
export function getAmount(reader: Reader): Decimal {
  const found = reader.getDecimal();
  if (found.units < 0n) throw new Unreadable('unexpected', `${reader.path} is negative`, reader.path);
  return found;
}

/** Halalas to riyals. */
export function fromMinor({ units, scale }: Decimal, currency: string): Decimal {
  return { units, scale: scale + currencyDigits(currency) };
}

/**
 * What a provider's word stands for, in either case of letters and without spaces, dashes and underscores. A word that no
 * document has is Unreadable: money does not move on a guess.
 */
export function getMapped<T>(table: Readonly<Record<string, T>>, reader: Reader): T {
  const word = reader.findText();
  const key = (word ?? '').toLowerCase().replace(/[\s_-]/g, '');
  const found = Object.hasOwn(table, key) ? table[key] : undefined;
  if (found === undefined)
    throw new Unreadable(
      'unexpected',
      `${reader.path} has a word that is not known: ${(word ?? '').slice(0, 100)}`,
      reader.path,
    );
  return found;
}

const MAX_REFERENCE_CHARACTERS = 200;

/** What the shop called it, at the first place that has it. One that can be no order's name is no reason to lose a payment. */
export function findReference(...places: readonly Reader[]): string | undefined {
  for (const place of places) {
    if (typeof place.value !== 'string' && typeof place.value !== 'number') continue;
    const text = place.findText();
    if (text !== undefined && text.length <= MAX_REFERENCE_CHARACTERS) return text;
  }
  return undefined;
}

/** As it was sent: what is cleaned or cut is no longer what was signed. Nothing is an empty text. */
export function sentText({ value }: Reader): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** For signatures over fields of the body. A body without them has no valid signature. */
export function isSignedByFields(read: () => Parameters<typeof isSignedBy>[0]): boolean {
  try {
    return isSignedBy(read());
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}
