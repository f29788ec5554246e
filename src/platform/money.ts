/**
 * Decimal arithmetic for money, without floats: a bigint and the number of its fraction digits. All operations are exact except
 * `divide` and `round`, which take the number of digits and round half away from zero.
 */
export type Decimal = {
  /** All digits, without the decimal point. */
  readonly units: bigint;
  /** Number of fraction digits. */
  readonly scale: number;
};

export const ZERO: Decimal = { units: 0n, scale: 0 };

const DECIMAL_TEXT = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
/** The longest text of a JSON number has under 30 characters; a sum of the ledger stays far below this too. */
const MAX_TEXT_CHARACTERS = 400;

/** Parses decimal text; undefined if the text is not a decimal number. */
export function findDecimal(text: string): Decimal | undefined {
  if (text.length > MAX_TEXT_CHARACTERS) return undefined;
  const found = DECIMAL_TEXT.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  const units = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { units: units * tenToThe(-scale), scale: 0 } : { units, scale };
}

/** Reads a number as its shortest decimal text, so that the JSON number 1.005 is exactly 1.005. */
export function decimal(value: number | string): Decimal {
  const found = findDecimal(typeof value === 'number' ? String(value) : value);
  if (found === undefined) throw new RangeError('not a decimal number');
  return found;
}

export function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { units: unitsAt(one, scale) + unitsAt(other, scale), scale };
}

export function subtract(one: Decimal, other: Decimal): Decimal {
  return add(one, negate(other));
}

export function negate({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total = ZERO;
  for (const value of values) total = add(total, value);
  return total;
}

export function multiply(one: Decimal, other: Decimal): Decimal {
  return { units: one.units * other.units, scale: one.scale + other.scale };
}

export function divide(one: Decimal, other: Decimal, digits: number): Decimal {
  if (other.units === 0n) throw new RangeError('division by zero');
  // one / other to `digits` digits is (one.units * 10^shift) / other.units; a negative shift multiplies the divisor.
  const shift = digits + other.scale - one.scale;
  const above = shift > 0 ? one.units * tenToThe(shift) : one.units;
  const below = shift < 0 ? other.units * tenToThe(-shift) : other.units;
  return { units: divideHalfAway(above, below), scale: digits };
}

/** Rounds or pads to exactly `digits` fraction digits. */
export function round(value: Decimal, digits: number): Decimal {
  if (value.scale <= digits) return { units: unitsAt(value, digits), scale: digits };
  return { units: divideHalfAway(value.units, tenToThe(value.scale - digits)), scale: digits };
}

/** Negative, zero or positive, as for sorting. */
export function compare(one: Decimal, other: Decimal): number {
  const scale = Math.max(one.scale, other.scale);
  const difference = unitsAt(one, scale) - unitsAt(other, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Without an exponent, with all fraction digits: 1.50 stays 1.50. */
export function toText({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const sign = units < 0n ? '-' : '';
  if (scale === 0) return sign + digits;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** For JSON. Exact up to 15 digits, beyond that the nearest double. */
export function toNumber(value: Decimal): number {
  return Number(toText(value));
}

/**
 * Fraction digits by ISO 4217, where they are not 2. Not taken from `Intl`, which has the digits that are usually displayed: 0 for the
 * Iraqi dinar, where the standard has 3.
 */
const DIGITS_OF_CURRENCY: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)])),
);

/** ISO 4217 as of 2026, without metals, funds and test codes. */
const CURRENCIES: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY ' +
    'COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ' +
    'ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK ' +
    'MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF ' +
    'SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU ' +
    'UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
  ).split(' '),
);

/** Ignores case. */
export function isCurrency(text: string): boolean {
  return CURRENCIES.has(text.toUpperCase());
}

export function currencyDigits(currency: string): number {
  return DIGITS_OF_CURRENCY.get(currency.toUpperCase()) ?? 2;
}

export function roundToCurrency(value: Decimal, currency: string): Decimal {
  return round(value, currencyDigits(currency));
}

/**
 * Quantity times unit price, rounded to the currency. Whole quantities of prices with no more digits than the currency has, which is
 * nearly every line, are exact in whole minor units and need no decimals.
 */
export function lineTotal(quantity: number, unitPrice: number, currency: string): number {
  const perUnit = 10 ** currencyDigits(currency);
  const priceUnits = Math.round(unitPrice * perUnit);
  const units = priceUnits * quantity;
  if (Number.isInteger(quantity) && Number.isSafeInteger(units) && priceUnits / perUnit === unitPrice) {
    // Plus zero: 0 times a negative price is -0.
    return units / perUnit + 0;
  }
  return toNumber(roundToCurrency(multiply(decimal(quantity), decimal(unitPrice)), currency));
}

/** Halalas, fils, yen: the unit of payment providers. */
export function toMinorUnits(value: Decimal, currency: string): bigint {
  return roundToCurrency(value, currency).units;
}

export function fromMinorUnits(units: bigint, currency: string): Decimal {
  return { units, scale: currencyDigits(currency) };
}

function unitsAt({ units, scale }: Decimal, wanted: number): bigint {
  return scale === wanted ? units : units * tenToThe(wanted - scale);
}

function divideHalfAway(above: bigint, below: bigint): bigint {
  const isNegative = above < 0n !== below < 0n;
  const dividend = above < 0n ? -above : above;
  const divisor = below < 0n ? -below : below;
  const quotient = (2n * dividend + divisor) / (2n * divisor);
  return isNegative ? -quotient : quotient;
}

const POWERS_OF_TEN = Array.from({ length: 32 }, (_, exponent) => 10n ** BigInt(exponent));

function tenToThe(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent);
}
