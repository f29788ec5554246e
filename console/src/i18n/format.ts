import type { Language } from './define-words.ts';

/** Latin digits and the Gregorian calendar in both: what the till, the invoice and the bank print. Hijri stands beside it. */
export const LOCALES: Record<Language, string> = {
  en: 'en-GB-u-ca-gregory-nu-latn',
  ar: 'ar-SA-u-ca-gregory-nu-latn',
};
const HIJRI: Record<Language, string> = {
  en: 'en-GB-u-ca-islamic-umalqura-nu-latn',
  ar: 'ar-SA-u-ca-islamic-umalqura-nu-latn',
};

/** The medium style is numeric in Arabic, and 3/4 is ambiguous. */
const DAY_IN_WORDS = { day: 'numeric', month: 'short', year: 'numeric' } as const;

type Moment = Date | string | number;
export type Format = ReturnType<typeof createFormat>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS: readonly [limit: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [MINUTE, 'second', 1],
  [HOUR, 'minute', MINUTE],
  [DAY, 'hour', HOUR],
  [30 * DAY, 'day', DAY],
  [365 * DAY, 'month', 30 * DAY],
];
const WEEK_MS = 7 * DAY * 1000;
const LONGEST = [Number.POSITIVE_INFINITY, 'year', 365 * DAY] as const;

/** Numbers, money and dates. Formatters are created on first use: each costs up to 0.3 ms. */
export function createFormat(language: Language, timeZone: string) {
  const locale = LOCALES[language];
  const made = new Map<string, unknown>();
  function keep<T>(name: string, make: () => T): T {
    const known = made.get(name);
    if (known !== undefined) return known as T;
    const fresh = make();
    made.set(name, fresh);
    return fresh;
  }
  const numbers = (name: string, options: Intl.NumberFormatOptions) =>
    keep(name, () => new Intl.NumberFormat(locale, options));
  const dates = (name: string, options: Intl.DateTimeFormatOptions, of = locale) =>
    keep(name, () => new Intl.DateTimeFormat(of, { timeZone, ...options }));
  const at = (moment: Moment) => (moment instanceof Date ? moment : new Date(moment));

  function relative(moment: Moment, now: Moment = Date.now()) {
    const seconds = (at(moment).getTime() - at(now).getTime()) / 1000;
    const [, unit, size] = STEPS.find(([limit]) => Math.abs(seconds) < limit) ?? LONGEST;
    const form = keep('relative', () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }));
    return form.format(Math.round(seconds / size), unit);
  }

  /** The code in English; the symbol in Arabic, where the data of Intl writes the riyal with a full stop at its end. */
  function money(name: string, amount: number, currency: string, options: Intl.NumberFormatOptions) {
    const currencyDisplay = language === 'ar' ? 'symbol' : 'code';
    const form = numbers(`${name} ${currency}`, { style: 'currency', currency, currencyDisplay, ...options });
    return form.format(amount).replace('ر.س.', 'ر.س');
  }

  return {
    language,
    locale,
    timeZone,
    number: (value: number) => numbers('number', { maximumFractionDigits: 2 }).format(value),
    compact: (value: number) => numbers('compact', { notation: 'compact', maximumFractionDigits: 1 }).format(value),
    percent: (share: number) => numbers('percent', { style: 'percent', maximumFractionDigits: 1 }).format(share),
    /** With its sign, for comparisons. */
    change: (share: number) =>
      numbers('change', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' }).format(share),
    money: (amount: number, currency = 'SAR') => money('money', amount, currency, {}),
    /** For axes and figures, without halalas. */
    roundMoney: (amount: number, currency = 'SAR') => money('round', amount, currency, { maximumFractionDigits: 0 }),
    date: (moment: Moment) => dates('date', DAY_IN_WORDS).format(at(moment)),
    /** `2026-11-19`, for names of files: the day of the organization, where `toISOString` has the one of UTC. */
    isoDate: (moment: Moment) =>
      dates('iso', { year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA').format(at(moment)),
    shortDate: (moment: Moment) => dates('short', { day: 'numeric', month: 'short' }).format(at(moment)),
    time: (moment: Moment) => dates('time', { timeStyle: 'short' }).format(at(moment)),
    dateTime: (moment: Moment) =>
      // English has 24 hours, and `time` writes 02:50; Arabic has 12.
      dates('dateTime', { ...DAY_IN_WORDS, hour: language === 'en' ? '2-digit' : 'numeric', minute: '2-digit' }).format(
        at(moment),
      ),
    hijri: (moment: Moment) =>
      dates('hijri', { day: 'numeric', month: 'long', year: 'numeric' }, HIJRI[language]).format(at(moment)),
    weekday: (moment: Moment) => dates('weekday', { weekday: 'long' }).format(at(moment)),
    relative,
    /** How long ago within a week, the day beyond. */
    when: (moment: Moment, now: Moment = Date.now()) =>
      at(now).getTime() - at(moment).getTime() < WEEK_MS
        ? relative(moment, now)
        : dates('date', DAY_IN_WORDS).format(at(moment)),
    list: (items: readonly string[]) => keep('list', () => new Intl.ListFormat(locale)).format(items),
  };
}
